package io.resilienceproxy.exchange;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.resilienceproxy.http.ResponseHead;
import org.jspecify.annotations.Nullable;

/**
 * One layer retries (rule layers): what requests say of the layers above this proxy, and answers of those below. Where each
 * of three layers tried three times, an upstream in trouble would get 27 requests for one.
 */
final class RetryLayers {

    /** What this proxy says of each attempt; a request that has it says which attempt of the layer above it is. */
    private static final AsciiString ATTEMPT = AsciiString.cached("X-Attempt");

    private static final AsciiString ENVOY_ATTEMPT = AsciiString.cached("x-envoy-attempt-count");

    /** How many attempts there were before this one (gRPC retry design). */
    private static final AsciiString GRPC_PREVIOUS = AsciiString.cached("grpc-previous-rpc-attempts");

    private static final AsciiString PROXY_STATUS = AsciiString.cached("Proxy-Status");

    /** With which another of these proxies says that it refused, and that nothing was sent. */
    private static final String[] REFUSALS = {
        "; error=" + Reason.CIRCUIT_OPEN.proxyStatusError(),
        "; error=" + Reason.BULKHEAD_FULL.proxyStatusError(),
        "; error=" + Reason.DEADLINE_EXHAUSTED.proxyStatusError()
    };

    private static final int MOST_DIGITS = 9;

    private RetryLayers() {}

    /** Whether a layer above retries already. A number that cannot be read says nothing. */
    static boolean isRetry(HttpHeaders request) {
        return number(request.get(ATTEMPT)) > 1
                || number(request.get(ENVOY_ATTEMPT)) > 1
                || number(request.get(GRPC_PREVIOUS)) > 0;
    }

    private static int number(@Nullable String text) {
        if (text == null || text.isEmpty() || text.length() > MOST_DIGITS) {
            return 0;
        }
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return 0;
            }
            number = number * 10 + c - '0';
        }
        return number;
    }

    /**
     * Whether the answer is the refusal of a proxy like this one below: asking again at once would be refused again, and
     * ask more of a layer that has said that it is short.
     */
    static boolean isRefusal(ResponseHead head) {
        if (head.status() < 500 || !head.fields().contains(PROXY_STATUS)) {
            return false;
        }
        for (String line : head.fields().getAll(PROXY_STATUS)) {
            for (String member : line.split(",")) {
                if (isRefusal(member.strip())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isRefusal(String member) {
        for (String refusal : REFUSALS) {
            int end = LocalAnswer.PROXY_NAME.length() + refusal.length();
            if (member.startsWith(LocalAnswer.PROXY_NAME + refusal)
                    && (member.length() == end || member.charAt(end) == ';')) {
                return true;
            }
        }
        return false;
    }
}
