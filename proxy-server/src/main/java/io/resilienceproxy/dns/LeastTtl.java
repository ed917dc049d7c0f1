package io.resilienceproxy.dns;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.resolver.dns.DnsCache;
import io.netty.resolver.dns.DnsCacheEntry;
import io.netty.resolver.dns.DnsCnameCache;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cache that keeps nothing but the least TTL of what Netty's resolver puts into it: the resolver tells it to nobody
 * else. An alias counts like an address, so that a name that is pointed elsewhere is followed in time.
 *
 * <p>On the resolver's event loop.
 */
final class LeastTtl implements DnsCache {

    private long seconds = Found.NO_TTL;

    /** Before a look-up. */
    void reset() {
        seconds = Found.NO_TTL;
    }

    /** Since {@link #reset()}; {@link Found#NO_TTL} where nothing had one. */
    long seconds() {
        return seconds;
    }

    private void note(long ttlSeconds) {
        seconds = Math.min(seconds, ttlSeconds);
    }

    @Override
    public void clear() {}

    @Override
    public boolean clear(String hostname) {
        return false;
    }

    @Override
    public @Nullable List<? extends DnsCacheEntry> get(String hostname, DnsRecord[] additionals) {
        return null;
    }

    @Override
    public DnsCacheEntry cache(
            String hostname, DnsRecord[] additionals, InetAddress address, long originalTtl, EventLoop loop) {
        note(originalTtl);
        return new Entry(address, null);
    }

    @Override
    public DnsCacheEntry cache(String hostname, DnsRecord[] additionals, Throwable cause, EventLoop loop) {
        return new Entry(null, cause);
    }

    private record Entry(
            @Nullable InetAddress address, @Nullable Throwable cause) implements DnsCacheEntry {}

    /** The part for aliases. */
    DnsCnameCache aliases() {
        return new DnsCnameCache() {
            @Override
            public @Nullable String get(String hostname) {
                return null;
            }

            @Override
            public void cache(String hostname, String cname, long originalTtl, EventLoop loop) {
                note(originalTtl);
            }

            @Override
            public void clear() {}

            @Override
            public boolean clear(String hostname) {
                return false;
            }
        };
    }
}
