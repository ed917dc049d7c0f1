package io.resilienceproxy.testkit;

import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.ToxiproxyClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A real Toxiproxy between a proxy under test and its upstream: ask {@link #before} for a link, point the caller at
 * {@link #port}, and add toxics or {@code disable()} it. The links of a test are deleted behind it. For the test's
 * thread.
 */
public final class Toxiproxy {

    private final ToxiproxyClient client;
    private final List<Proxy> links = new ArrayList<>();

    Toxiproxy(ToxiproxyClient client) {
        this.client = client;
    }

    /** A new link that forwards to that port of 127.0.0.1. */
    public Proxy before(int upstreamPort) {
        try {
            String name = "to-" + upstreamPort + "-" + links.size();
            Proxy link = client.createProxy(name, "127.0.0.1:0", "127.0.0.1:" + upstreamPort);
            links.add(link);
            return link;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The port on which a link listens; it stays while the link is disabled and enabled again. */
    public static int port(Proxy link) {
        String listen = link.getListen();
        return Integer.parseInt(listen.substring(listen.lastIndexOf(':') + 1));
    }

    void deleteLinks() {
        try {
            for (Proxy link : links) {
                link.delete();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            links.clear();
        }
    }
}
