"""An upstream that is alive and useless: it answers each request after a delay. Arguments: port, seconds."""

import asyncio
import sys

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate"


async def serve(reader, writer, delay):
    try:
        while True:
            await reader.readuntil(b"\r\n\r\n")
            await asyncio.sleep(delay)
            writer.write(ANSWER)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main(port, delay):
    server = await asyncio.start_server(lambda r, w: serve(r, w, delay), "127.0.0.1", port, backlog=1024)
    async with server:
        await server.serve_forever()


asyncio.run(main(int(sys.argv[1]), float(sys.argv[2])))
