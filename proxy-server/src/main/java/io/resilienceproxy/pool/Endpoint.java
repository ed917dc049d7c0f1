package io.resilienceproxy.pool;

import io.netty.util.AsciiString;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One address of an upstream's url, and whether it is ejected: passed over for a time, because a connection to it could not
 * be opened or was reset. Behind that time one request at a time tries it, until one gets an answer; a further failure
 * ejects it for twice as long.
 *
 * <p>Thread-safe; lives for as long as the address stays in the answers of its name.
 */
public final class Endpoint {

    /** Of the first ejection; each further one without an answer in between lasts twice as long. */
    public static final Duration SHORTEST_EJECTION = Duration.ofSeconds(1);

    public static final Duration LONGEST_EJECTION = Duration.ofMinutes(1);

    private final InetSocketAddress address;
    private final String text;
    private final AsciiString nextHop;
    private final AtomicReference<@Nullable Ejection> ejection = new AtomicReference<>();

    /**
     * @param failures in a row, from 1
     * @param untilNanos when it may be tried, or, on trial, when somebody else may try it
     */
    private record Ejection(int failures, long untilNanos, boolean onTrial) {}

    Endpoint(InetSocketAddress address) {
        this.address = address;
        String host = address.getAddress().getHostAddress();
        this.text = (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
        this.nextHop = AsciiString.cached("; next-hop=\"" + text + "\"");
    }

    InetSocketAddress address() {
        return address;
    }

    /** {@code 192.0.2.1:443}, an IPv6 address in brackets. */
    @Override
    public String toString() {
        return text;
    }

    /** The parameter of {@code Proxy-Status} that names it (RFC 9209 section 2.1.2), ready to be appended. */
    public AsciiString nextHop() {
        return nextHop;
    }

    /** Whether a request should go to it: it is not ejected, or has been for long enough and nobody is trying. */
    boolean isUsable(long nowNanos) {
        Ejection present = ejection.get();
        return present == null || nowNanos - present.untilNanos >= 0;
    }

    /** A request goes to it. Where it was ejected, the others wait for what becomes of that. */
    void onUse(long nowNanos) {
        Ejection present = ejection.get();
        if (present != null && nowNanos - present.untilNanos >= 0) {
            ejection.set(new Ejection(present.failures, nowNanos + durationNanos(present.failures), true));
        }
    }

    /** It has answered a request. One that was sent before it was ejected says nothing about now. */
    void onAnswer() {
        Ejection present = ejection.get();
        if (present != null && present.onTrial) {
            ejection.set(null);
        }
    }

    /** @return whether it is ejected by this, which it is not twice for what failed at about the same time */
    boolean eject(long nowNanos) {
        Ejection present = ejection.get();
        if (present != null && !present.onTrial && nowNanos - present.untilNanos < 0) {
            return false;
        }
        int failures = present == null ? 1 : present.failures + 1;
        return ejection.compareAndSet(present, new Ejection(failures, nowNanos + durationNanos(failures), false));
    }

    private static long durationNanos(int failures) {
        int doublings = Math.min(failures - 1, Byte.SIZE);
        return Math.min(LONGEST_EJECTION.toNanos(), SHORTEST_EJECTION.toNanos() << doublings);
    }
}
