"""Python's http.client: METHOD URL [BODY-FILE [chunked]]; prints the status, then the body."""
import http.client
import sys
import urllib.parse

method, url = sys.argv[1:3]
target = urllib.parse.urlsplit(url)
connection = http.client.HTTPConnection(target.hostname, target.port, timeout=20)
body, headers = None, {}
if len(sys.argv) > 3:
    with open(sys.argv[3], "rb") as file:
        content = file.read()
    body = iter([content]) if len(sys.argv) > 4 else content
connection.request(method, target.path, body, headers, encode_chunked=len(sys.argv) > 4)
response = connection.getresponse()
sys.stdout.buffer.write(b"%d\n" % response.status + response.read())
