package io.resilienceproxy.fuzz;

import java.util.Random;

/** Damages a message at random: a few bytes, in the way in which broken and hostile peers do. */
final class Mutation {

    private static final String[] SEEDS = {
        "\r\n",
        "\n",
        "\r",
        "\0",
        " ",
        "\t",
        ":",
        ";",
        ",",
        "0",
        "f",
        "-1",
        "0x5",
        "\r\n ",
        "\r\n\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Content-Length: 7\r\n",
        "Content-Length: 0\r\n",
        "Connection: close\r\n",
        "Expect: 100-continue\r\n",
        "Upgrade: websocket\r\n",
        "HTTP/1.1",
        "HTTP/1.0",
        "GET /good/smuggled HTTP/1.1\r\n",
        "\u0080",
        "\u00ff"
    };

    private Mutation() {}

    /** @param latin1 one character per byte */
    static String apply(String latin1, Random random) {
        StringBuilder bytes = new StringBuilder(latin1);
        int times = 1 + random.nextInt(3);
        for (int i = 0; i < times && bytes.length() > 2; i++) {
            int at = random.nextInt(bytes.length());
            int end = Math.min(bytes.length(), at + 1 + random.nextInt(12));
            switch (random.nextInt(6)) {
                case 0 -> bytes.setCharAt(at, (char) random.nextInt(256));
                case 1 -> bytes.delete(at, end);
                case 2 -> bytes.insert(at, bytes.substring(at, end));
                case 3 -> bytes.setLength(at);
                default -> bytes.insert(at, SEEDS[random.nextInt(SEEDS.length)]);
            }
        }
        return bytes.toString();
    }
}
