package io.resilienceproxy.dns;

import java.net.InetAddress;
import java.util.List;

/**
 * What a look-up of one address family came to.
 *
 * @param kind whether there is an answer at all
 * @param addresses in the order of the answer; empty unless {@link Kind#ADDRESSES}
 * @param ttlSeconds the least of the records that led to them; {@link #NO_TTL} where none said one
 */
record Found(Kind kind, List<InetAddress> addresses, long ttlSeconds) {

    static final long NO_TTL = Long.MAX_VALUE;

    static final Found NONE = new Found(Kind.NONE, List.of(), NO_TTL);
    static final Found FAILED = new Found(Kind.FAILED, List.of(), NO_TTL);

    enum Kind {
        ADDRESSES,
        /** The name has none of this family, or does not exist. */
        NONE,
        /** Nobody knows: no answer in time, or one such as SERVFAIL. */
        FAILED
    }

    static Found addresses(List<InetAddress> addresses, long ttlSeconds) {
        return new Found(Kind.ADDRESSES, List.copyOf(addresses), ttlSeconds);
    }
}
