package io.resilienceproxy.cli;

import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.pool.ConnectionPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pools of every upstream, one for each of its urls. A url that stays, with the same {@code tls}, goes on with the same
 * pool, under new limits if it has them and wherever in the list it stands now; else there is a new pool. Changed by one
 * thread at a time; read by any.
 */
final class Pools {

    /** Makes the pool of a url. */
    interface Opening {
        /** @throws IOException where a certificate file cannot be used */
        ConnectionPool open(UpstreamPolicy upstream, UpstreamUrl url) throws IOException;
    }

    /** @param upstream its name */
    record Key(String upstream, UpstreamUrl url) {

        // By hand, for the start's sake: see UpstreamUrl.

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && upstream.equals(key.upstream) && url.equals(key.url);
        }

        @Override
        public int hashCode() {
            return 31 * upstream.hashCode() + url.hashCode();
        }
    }

    private final Opening opening;
    private volatile Map<Key, ConnectionPool> byKey = Map.of();

    Pools(Opening opening) {
        this.opening = opening;
    }

    /**
     * The pools that these upstreams would have. Nothing has changed yet; the caller follows or discards them.
     *
     * @throws IOException where a certificate file cannot be used
     */
    Map<Key, ConnectionPool> prepare(List<UpstreamPolicy> upstreams) throws IOException {
        Map<Key, ConnectionPool> next = new LinkedHashMap<>();
        for (UpstreamPolicy upstream : upstreams) {
            for (UpstreamUrl url : upstream.urls()) {
                Key key = new Key(upstream.name(), url);
                ConnectionPool present = byKey.get(key);
                boolean same = present != null && present.isUnder(upstream.tls());
                try {
                    next.put(key, same ? present : opening.open(upstream, url));
                } catch (IOException e) {
                    discard(next);
                    throw e;
                }
            }
        }
        return next;
    }

    /** Closes what was prepared and is not used. */
    void discard(Map<Key, ConnectionPool> prepared) {
        List<ConnectionPool> made = new ArrayList<>(prepared.values());
        made.removeAll(byKey.values());
        made.forEach(ConnectionPool::close);
    }

    /**
     * @param prepared for these upstreams
     * @return the pools that no upstream has any more; the caller closes them
     */
    List<ConnectionPool> follow(List<UpstreamPolicy> upstreams, Map<Key, ConnectionPool> prepared) {
        List<ConnectionPool> unused = new ArrayList<>(byKey.values());
        unused.removeAll(prepared.values());
        for (UpstreamPolicy upstream : upstreams) {
            for (UpstreamUrl url : upstream.urls()) {
                prepared.get(new Key(upstream.name(), url)).change(upstream.pool());
            }
        }
        byKey = prepared;
        return unused;
    }

    ConnectionPool of(UpstreamPolicy upstream, UpstreamUrl url) {
        return byKey.get(new Key(upstream.name(), url));
    }

    List<ConnectionPool> all() {
        return List.copyOf(byKey.values());
    }
}
