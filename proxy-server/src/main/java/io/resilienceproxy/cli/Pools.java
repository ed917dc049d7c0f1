package io.resilienceproxy.cli;

import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.pool.ConnectionPool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The pool of every upstream. One that has the same url goes on with the same pool, under new limits if it has them; where
 * the url is another there is a new pool. Changed by one thread at a time; read by any.
 */
final class Pools {

    private final Function<UpstreamPolicy, ConnectionPool> create;
    private volatile Map<String, ConnectionPool> byUpstream = Map.of();

    Pools(Function<UpstreamPolicy, ConnectionPool> create) {
        this.create = create;
    }

    /** @return the pools that no upstream has any more; the caller closes them */
    List<ConnectionPool> follow(List<UpstreamPolicy> upstreams) {
        Map<String, ConnectionPool> last = byUpstream;
        Map<String, ConnectionPool> next = new LinkedHashMap<>();
        for (UpstreamPolicy upstream : upstreams) {
            ConnectionPool present = last.get(upstream.name());
            if (present != null && present.url().equals(upstream.url())) {
                present.change(upstream.pool());
                next.put(upstream.name(), present);
            } else {
                next.put(upstream.name(), create.apply(upstream));
            }
        }
        byUpstream = next;
        List<ConnectionPool> unused = new ArrayList<>(last.values());
        unused.removeAll(next.values());
        return unused;
    }

    ConnectionPool of(UpstreamPolicy upstream) {
        return byUpstream.get(upstream.name());
    }

    Map<String, ConnectionPool> byUpstream() {
        return Map.copyOf(byUpstream);
    }
}
