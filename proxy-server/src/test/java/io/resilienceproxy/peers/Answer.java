package io.resilienceproxy.peers;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What a client got. */
record Answer(int status, byte[] body) {

    String text() {
        return new String(body, StandardCharsets.ISO_8859_1);
    }

    /** From a program that prints the status, a line break and the body. */
    static Answer printed(byte[] output) {
        int end = 0;
        while (end < output.length && output[end] != '\n') {
            end++;
        }
        String status = new String(output, 0, end, StandardCharsets.US_ASCII).trim();
        int from = Math.min(output.length, end + 1);
        return new Answer(Integer.parseInt(status), Arrays.copyOfRange(output, from, output.length));
    }
}
