package io.resilienceproxy.fuzz;

import java.util.Random;

/** A valid request with a target of its own, as bytes; the upstream sees the same target. */
record FuzzRequest(String method, String target, String bytes) {

    static FuzzRequest random(String target, Random random, boolean last) {
        String method = switch (random.nextInt(5)) {
            case 0 -> "POST";
            case 1 -> "PUT";
            case 2 -> "HEAD";
            default -> "GET";
        };
        boolean withBody = method.startsWith("P");
        StringBuilder bytes = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: fuzz\r\n");
        for (int i = random.nextInt(4); i > 0; i--) {
            bytes.append("X-Field-")
                    .append(i)
                    .append(": value ")
                    .append(random.nextInt(1000))
                    .append("\r\n");
        }
        if (last && random.nextBoolean()) {
            bytes.append("Connection: close\r\n");
        }
        String body = "x".repeat(random.nextInt(random.nextInt(20) == 0 ? 200_000 : 300));
        if (withBody && random.nextBoolean()) {
            bytes.append("Content-Length: ")
                    .append(body.length())
                    .append("\r\n\r\n")
                    .append(body);
        } else if (withBody) {
            bytes.append("Transfer-Encoding: chunked\r\n\r\n");
            chunks(bytes, body, random);
        } else {
            bytes.append("\r\n");
        }
        return new FuzzRequest(method, target, bytes.toString());
    }

    static void chunks(StringBuilder to, String body, Random random) {
        for (int at = 0; at < body.length(); ) {
            int size = Math.min(body.length() - at, 1 + random.nextInt(1 + body.length()));
            to.append(Integer.toHexString(size))
                    .append("\r\n")
                    .append(body, at, at + size)
                    .append("\r\n");
            at += size;
        }
        to.append("0\r\n\r\n");
    }
}
