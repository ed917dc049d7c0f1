package io.resilienceproxy.cli;

import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.pool.ConnectionPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pool of every upstream. One that has the same url and the same {@code tls} goes on with the same pool, under new
 * limits if it has them; where one of them is another there is a new pool. Changed by one thread at a time; read by any.
 */
final class Pools {

    /** Makes a pool. */
    interface Opening {
        /** @throws IOException where a certificate file cannot be used */
        ConnectionPool open(UpstreamPolicy upstream) throws IOException;
    }

    private final Opening opening;
    private volatile Map<String, ConnectionPool> byUpstream = Map.of();

    Pools(Opening opening) {
        this.opening = opening;
    }

    /**
     * The pools that these upstreams would have. Nothing has changed yet; the caller follows or discards them.
     *
     * @throws IOException where a certificate file cannot be used
     */
    Map<String, ConnectionPool> prepare(List<UpstreamPolicy> upstreams) throws IOException {
        Map<String, ConnectionPool> next = new LinkedHashMap<>();
        for (UpstreamPolicy upstream : upstreams) {
            ConnectionPool present = byUpstream.get(upstream.name());
            boolean same = present != null && present.isFor(upstream.url(), upstream.tls());
            try {
                next.put(upstream.name(), same ? present : opening.open(upstream));
            } catch (IOException e) {
                discard(next);
                throw e;
            }
        }
        return next;
    }

    /** Closes what was prepared and is not used. */
    void discard(Map<String, ConnectionPool> prepared) {
        List<ConnectionPool> made = new ArrayList<>(prepared.values());
        made.removeAll(byUpstream.values());
        made.forEach(ConnectionPool::close);
    }

    /**
     * @param prepared for these upstreams
     * @return the pools that no upstream has any more; the caller closes them
     */
    List<ConnectionPool> follow(List<UpstreamPolicy> upstreams, Map<String, ConnectionPool> prepared) {
        List<ConnectionPool> unused = new ArrayList<>(byUpstream.values());
        unused.removeAll(prepared.values());
        for (UpstreamPolicy upstream : upstreams) {
            prepared.get(upstream.name()).change(upstream.pool());
        }
        byUpstream = prepared;
        return unused;
    }

    ConnectionPool of(UpstreamPolicy upstream) {
        return byUpstream.get(upstream.name());
    }

    Map<String, ConnectionPool> byUpstream() {
        return Map.copyOf(byUpstream);
    }
}
