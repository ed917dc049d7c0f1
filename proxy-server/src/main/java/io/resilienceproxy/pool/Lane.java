package io.resilienceproxy.pool;

import java.util.ArrayDeque;
import java.util.Deque;

/** One event loop's connections to one endpoint. On that loop. */
final class Lane {

    final Endpoint endpoint;

    /** The newest first. */
    final Deque<Http1Connection> idle = new ArrayDeque<>();

    /** Requests under way, and connections being opened for one. */
    int outstanding;

    /** False: the endpoint is no longer among those of its url. */
    boolean present = true;

    Lane(Endpoint endpoint) {
        this.endpoint = endpoint;
    }
}
