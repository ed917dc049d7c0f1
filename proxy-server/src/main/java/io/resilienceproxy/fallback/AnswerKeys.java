package io.resilienceproxy.fallback;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.outcome.NotKept;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * By what the answers of a route are told apart: method, whole target and how much of it is forwarded, and the values of the
 * fields that the policy names.
 * What tells users apart must be among these: a request with credentials that are not has no key, and so nothing is kept
 * for it and nothing is given to it.
 *
 * <p>A key is exact, not a hash: two requests have the same one only if all of this is the same, values in the same order.
 * Immutable; thread-safe.
 */
public final class AnswerKeys {

    /** Fields that make a request that of one user (RFC 9110 section 11, RFC 6265). */
    private static final List<AsciiString> CREDENTIALS =
            List.of(HttpHeaderNames.AUTHORIZATION, HttpHeaderNames.PROXY_AUTHORIZATION, HttpHeaderNames.COOKIE);

    private final AsciiString[] names;
    private final AsciiString[] foreignCredentials;

    /** @param keyHeaders lower case, sorted, each once */
    public AnswerKeys(List<String> keyHeaders) {
        this.names = keyHeaders.stream().map(AsciiString::cached).toArray(AsciiString[]::new);
        this.foreignCredentials = CREDENTIALS.stream()
                .filter(name -> Stream.of(names).noneMatch(name::contentEqualsIgnoreCase))
                .toArray(AsciiString[]::new);
    }

    /**
     * The key of a request.
     *
     * @param prefixLength how many characters of its target are not forwarded: the same target means something else to the
     *     upstream where its name is in the path and where it is in Host
     * @return null: nothing may be kept for it, and nothing given to it, as {@link #whyNone} says
     */
    public @Nullable String of(RequestHead request, int prefixLength) {
        return whyNone(request) == null ? key(request.method(), request, prefixLength) : null;
    }

    /** The key under which the answer to a GET would be kept that says what this HEAD asks for; null where {@link #of} is. */
    @Nullable
    String ofGet(RequestHead request, int prefixLength) {
        return whyNone(request) == null ? key("GET", request, prefixLength) : null;
    }

    /**
     * Why a request has no key; null: it has one. It is no read, or has a body, which would have to be a part of the key; it
     * asks to leave HTTP; it has a condition that only the upstream can judge, or credentials that are not a part of the key;
     * or it lets a field of the key end at this hop, so that its value is not what the upstream has answered to.
     */
    @Nullable
    NotKept whyNone(RequestHead request) {
        boolean read = request.method().equals("GET") || request.isHead();
        boolean bodiless = request.bodyLength() == BodyLength.ABSENT || request.bodyLength() == 0;
        if (!read || !bodiless || request.webSocket() || hasPrecondition(request)) {
            return NotKept.REQUEST;
        }
        if (hasForeignCredentials(request)) {
            return NotKept.CREDENTIALS;
        }
        return endsHere(request, names) ? NotKept.HOP_BY_HOP : null;
    }

    private static boolean endsHere(RequestHead request, AsciiString[] names) {
        for (AsciiString name : names) {
            if (request.fields().contains(name) && !request.forwards(name.toString())) {
                return true;
            }
        }
        return false;
    }

    /** Conditions under which an answer is not to be given; those that only spare one (If-None-Match) are no hindrance. */
    private static boolean hasPrecondition(RequestHead request) {
        return request.fields().contains(HttpHeaderNames.IF_MATCH)
                || request.fields().contains(HttpHeaderNames.IF_UNMODIFIED_SINCE);
    }

    private boolean hasForeignCredentials(RequestHead request) {
        for (AsciiString name : foreignCredentials) {
            if (request.fields().contains(name)) {
                return true;
            }
        }
        return false;
    }

    private String key(String method, RequestHead request, int prefixLength) {
        StringBuilder key = new StringBuilder(160)
                .append(method)
                .append(' ')
                .append(prefixLength)
                .append(request.target());
        for (AsciiString name : names) {
            appendValues(key, name, request.fields());
        }
        return key.toString();
    }

    /** Unambiguous, because neither names nor values hold line ends; an absent field differs from an empty one. */
    static void appendValues(StringBuilder to, CharSequence name, HttpHeaders fields) {
        to.append('\n').append(name);
        for (String value : fields.getAll(name)) {
            to.append('\r').append(value);
        }
    }
}
