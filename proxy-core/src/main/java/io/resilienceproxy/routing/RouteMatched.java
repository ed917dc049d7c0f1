package io.resilienceproxy.routing;

/**
 * The answer of the route table.
 *
 * @param prefixLength how many characters of the target addressed the upstream and are not forwarded
 */
public record RouteMatched(Route route, int prefixLength) {}
