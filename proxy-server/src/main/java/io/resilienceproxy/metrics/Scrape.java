package io.resilienceproxy.metrics;

/**
 * One answer to Prometheus.
 *
 * @param contentType of the body, as its sender negotiated it
 * @param body the caller's to keep
 */
public record Scrape(String contentType, byte[] body) {}
