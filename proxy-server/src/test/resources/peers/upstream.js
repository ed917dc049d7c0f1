// Node's own http server: says what it got. Prints its port.
const http = require('http');
const crypto = require('crypto');
const server = http.createServer((request, response) => {
  const hash = crypto.createHash('sha256');
  let size = 0;
  request.on('data', (piece) => { hash.update(piece); size += piece.length; });
  request.on('end', () => {
    response.setHeader('X-Method', request.method);
    response.end(request.method === 'HEAD' ? undefined : `${size} ${hash.digest('hex')}`);
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
