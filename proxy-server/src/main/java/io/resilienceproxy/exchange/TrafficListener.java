package io.resilienceproxy.exchange;

import io.resilienceproxy.routing.Route;

/**
 * What the data listeners report, process-wide. Thread-safe; called on event loops; must neither block nor throw.
 */
public interface TrafficListener {

    /** The listener of one route's exchanges: asked once per route when a route table is put into use. */
    ExchangeListener forRoute(Route route);

    void onConnectionOpened();

    void onConnectionClosed();

    /** A request that belongs to no exchange was answered by the proxy: no route, malformed, too many connections. */
    void onRefused(Reason reason);
}
