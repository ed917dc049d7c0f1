package io.resilienceproxy.http;

/** Which characters may stand where (RFC 9110 section 5.6.2, RFC 3986 sections 2 and 3.2.2). */
final class Tokens {

    private static final boolean[] TOKEN = table("!#$%&'*+-.^_`|~");
    private static final boolean[] REG_NAME = table("-._~!$&'()*+,;=%");
    private static final boolean[] IP_LITERAL = table("-._~!$&'()*+,;=:");

    private Tokens() {}

    private static boolean[] table(String punctuation) {
        boolean[] table = new boolean[128];
        for (char c = '0'; c <= '9'; c++) {
            table[c] = true;
        }
        for (char c = 'a'; c <= 'z'; c++) {
            table[c] = true;
            table[Character.toUpperCase(c)] = true;
        }
        for (int i = 0; i < punctuation.length(); i++) {
            table[punctuation.charAt(i)] = true;
        }
        return table;
    }

    static boolean isToken(CharSequence text) {
        return !text.isEmpty() && all(TOKEN, text, 0, text.length());
    }

    /** {@code uri-host [ ":" port ]}; the host must not be empty. */
    static boolean isAuthority(CharSequence text) {
        int end = text.length();
        if (end == 0) {
            return false;
        }
        int hostEnd;
        if (text.charAt(0) == '[') {
            hostEnd = indexOf(text, ']', 1);
            if (hostEnd < 3 || !all(IP_LITERAL, text, 1, hostEnd)) {
                return false;
            }
            hostEnd++;
        } else {
            hostEnd = indexOf(text, ':', 0);
            hostEnd = hostEnd < 0 ? end : hostEnd;
            if (hostEnd == 0 || !all(REG_NAME, text, 0, hostEnd)) {
                return false;
            }
        }
        return hostEnd == end || text.charAt(hostEnd) == ':' && isPort(text, hostEnd + 1, end);
    }

    private static boolean isPort(CharSequence text, int from, int to) {
        if (to - from > 5) {
            return false;
        }
        int port = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
            port = port * 10 + c - '0';
        }
        return port <= 65535;
    }

    /**
     * Whether every character may be sent on as part of a request target: visible ASCII, and no fragment. Other characters
     * that RFC 3986 would have encoded pass as they are: the target is forwarded byte for byte.
     */
    static boolean isTarget(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '#') {
                return false;
            }
        }
        return true;
    }

    private static int indexOf(CharSequence text, char wanted, int from) {
        for (int i = from; i < text.length(); i++) {
            if (text.charAt(i) == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static boolean all(boolean[] table, CharSequence text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c >= 128 || !table[c]) {
                return false;
            }
        }
        return true;
    }
}
