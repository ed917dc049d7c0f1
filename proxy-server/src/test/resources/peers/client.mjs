// Node's fetch: METHOD URL [BODY-FILE [chunked]]; prints the status, then the body.
import { readFileSync } from 'node:fs';
const [method, url, file, chunked] = process.argv.slice(2);
const options = { method };
if (file) {
  const body = readFileSync(file);
  options.body = chunked ? new ReadableStream({ start(sink) { sink.enqueue(body); sink.close(); } }) : body;
  if (chunked) options.duplex = 'half';
}
const response = await fetch(url, options);
const body = Buffer.from(await response.arrayBuffer());
process.stdout.write(`${response.status}\n`);
process.stdout.write(body);
