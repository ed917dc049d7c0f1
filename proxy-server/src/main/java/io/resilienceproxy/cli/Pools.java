package io.resilienceproxy.cli;

import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.pool.ConnectionPool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pools of every upstream, one for each of its urls. A url that stays goes on with the same pool, under new limits if it
 * has them and wherever in the list it stands now; a new url has a new pool. Changed by one thread at a time; read by any.
 */
final class Pools {

    /** Makes the pool of a url. */
    interface Factory {
        ConnectionPool create(UpstreamPolicy upstream, UpstreamUrl url);
    }

    /** @param upstream its name */
    record Key(String upstream, UpstreamUrl url) {}

    private final Factory factory;
    private volatile Map<Key, ConnectionPool> byKey = Map.of();

    Pools(Factory factory) {
        this.factory = factory;
    }

    /** @return the pools that no upstream has any more; the caller closes them */
    List<ConnectionPool> follow(List<UpstreamPolicy> upstreams) {
        Map<Key, ConnectionPool> last = byKey;
        Map<Key, ConnectionPool> next = new LinkedHashMap<>();
        for (UpstreamPolicy upstream : upstreams) {
            for (UpstreamUrl url : upstream.urls()) {
                Key key = new Key(upstream.name(), url);
                ConnectionPool present = last.get(key);
                if (present == null) {
                    next.put(key, factory.create(upstream, url));
                } else {
                    present.change(upstream.pool());
                    next.put(key, present);
                }
            }
        }
        byKey = next;
        List<ConnectionPool> unused = new ArrayList<>(last.values());
        unused.removeAll(next.values());
        return unused;
    }

    ConnectionPool of(UpstreamPolicy upstream, UpstreamUrl url) {
        return byKey.get(new Key(upstream.name(), url));
    }

    List<ConnectionPool> all() {
        return List.copyOf(byKey.values());
    }
}
