package io.resilienceproxy.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;

/**
 * Max-Forwards (RFC 9110 section 7.6.2): how many more times an OPTIONS or a TRACE may be forwarded. In requests of other
 * methods it says nothing, and passes as it is.
 */
public final class MaxForwards {

    private static final int MALFORMED = -1;

    /** What is larger is as good as this: the number that is sent on is the lesser of the two. */
    private static final int MOST = 999_999_999;

    private MaxForwards() {}

    static boolean isMalformed(String method, HttpHeaders fields) {
        return counts(method) && fields.contains(HttpHeaderNames.MAX_FORWARDS) && number(fields) == MALFORMED;
    }

    /**
     * Whether a request that was received may not be forwarded: this proxy answers it. Else its field, if it has one, has
     * become less by one; so this is asked once for each request, not for each attempt.
     */
    public static boolean endsHere(RequestHead head) {
        if (!counts(head.method()) || !head.fields().contains(HttpHeaderNames.MAX_FORWARDS)) {
            return false;
        }
        int number = number(head.fields());
        if (number > 0) {
            head.fields().set(HttpHeaderNames.MAX_FORWARDS, Integer.toString(number - 1));
        }
        return number == 0;
    }

    private static boolean counts(String method) {
        return method.equals("OPTIONS") || method.equals("TRACE");
    }

    private static int number(HttpHeaders fields) {
        List<String> lines = FieldLines.of(fields, HttpHeaderNames.MAX_FORWARDS);
        if (lines.size() != 1 || lines.get(0).isEmpty()) {
            return MALFORMED;
        }
        String digits = lines.get(0);
        long number = 0;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if (c < '0' || c > '9') {
                return MALFORMED;
            }
            number = Math.min(number * 10 + c - '0', MOST);
        }
        return (int) number;
    }
}
