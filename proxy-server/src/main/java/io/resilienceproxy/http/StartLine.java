package io.resilienceproxy.http;

/**
 * Checks that the words of a start line are separated by exactly one space (RFC 9112 sections 3 and 4). Netty's decoder
 * also takes tabs and runs of white space; another parser would see other words.
 *
 * <p>Belongs to one decoder: the words of a line are shown to it in their order.
 */
final class StartLine {

    private int nextWord;

    /** The decoder has copied the line to the beginning of the array. */
    void firstWord(byte[] line, int start, int length) {
        nextWord = 0;
        middleWord(line, start, length);
    }

    void middleWord(byte[] line, int start, int length) {
        lastWord(start);
        if (length == 0 || line[start + length] != ' ') {
            throw new IllegalArgumentException("start line is not separated by single spaces");
        }
        nextWord = start + length + 1;
    }

    void lastWord(int start) {
        if (start != nextWord) {
            throw new IllegalArgumentException("start line is not separated by single spaces");
        }
    }

    /** {@code HTTP/} in capitals, a digit, a dot, a digit. */
    static void version(byte[] line, int start, int length) {
        boolean wellFormed = length == 8
                && line[start] == 'H'
                && line[start + 1] == 'T'
                && line[start + 2] == 'T'
                && line[start + 3] == 'P'
                && line[start + 4] == '/'
                && isDigit(line[start + 5])
                && line[start + 6] == '.'
                && isDigit(line[start + 7]);
        if (!wellFormed) {
            throw new IllegalArgumentException("malformed HTTP version");
        }
    }

    private static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }
}
