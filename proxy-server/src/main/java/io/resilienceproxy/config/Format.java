package io.resilienceproxy.config;

/** Every key of the format. A feature that is not built yet has no key here, so that naming it is an error. */
final class Format {

    private static final Shape SCALARS = new Shape.ListOf(Shape.SCALAR);

    private static final Shape.Fields FALLBACK = Shape.fields("stale-if-error")
            .and("key-headers", SCALARS)
            .and(
                    "response",
                    Shape.fields("status")
                            .and("headers", new Shape.Named(Shape.SCALAR))
                            .and("body", Shape.SCALAR));

    /** What an upstream, a route and {@code defaults} have in common. */
    private static final Shape.Fields TREATMENT = Shape.fields()
            .and("mode", Shape.SCALAR)
            .and("timeouts", Shape.fields("connect", "read", "call"))
            .and("deadline", Shape.fields("header", "buffer"))
            .and("bulkhead", Shape.fields("max-concurrent-calls", "max-wait-duration", "max-waiting"))
            .and(
                    "circuit-breaker",
                    Shape.fields(
                                    "sliding-window-type",
                                    "sliding-window-size",
                                    "minimum-number-of-calls",
                                    "failure-rate-threshold",
                                    "slow-call-duration-threshold",
                                    "slow-call-rate-threshold",
                                    "wait-duration-in-open-state",
                                    "permitted-number-of-calls-in-half-open-state")
                            .and("failure-statuses", SCALARS))
            .and(
                    "retry",
                    Shape.fields("max-attempts", "wait-duration", "exponential-backoff-multiplier", "max-wait-duration")
                            .and("retry-on", SCALARS)
                            .and("methods", SCALARS)
                            .and(Shape.fields("idempotency-header", "max-replay-body"))
                            .and("budget", Shape.fields("ratio", "max-tokens")))
            .and("fallback", FALLBACK);

    private static final Shape.Fields ROUTE = Shape.fields("name", "path")
            .and("methods", SCALARS)
            .and(TREATMENT)
            .and("stream", Shape.SCALAR)
            .and("priority", Shape.SCALAR);

    private static final Shape.Fields DEFAULTS = TREATMENT
            .and("fallback", FALLBACK.and("max-bytes", Shape.SCALAR))
            .and("pool", Shape.fields("max-connections", "idle-timeout", "max-lifetime", "min-idle"))
            .and("health", Shape.fields("path", "method", "ttl", "affects-readiness"))
            .and("tls", Shape.fields("ca-file", "cert-file", "key-file", "server-name"));

    private static final Shape.Fields UPSTREAM = Shape.fields("url")
            .and("urls", SCALARS)
            .and(Shape.fields("listen-port"))
            .and("hosts", SCALARS)
            .and(DEFAULTS)
            .and("routes", new Shape.ListOf(ROUTE));

    static final Shape.Fields POLICY = Shape.fields()
            .and("listen", Shape.fields("host", "port"))
            .and("threads", Shape.SCALAR)
            .and("admin", Shape.fields("host", "port", "quit"))
            .and("limits", Shape.fields("max-connections", "max-header-size", "header-timeout", "idle-timeout"))
            .and("shutdown", Shape.fields("quiet-period", "timeout"))
            .and("logging", Shape.fields("level", "access"))
            .and("defaults", DEFAULTS)
            .and("upstreams", new Shape.Named(UPSTREAM));

    private Format() {}

    /** Of each entry of {@code upstreams}. */
    static Shape.Fields upstream() {
        return UPSTREAM;
    }

    /** Of each item of {@code routes}. */
    static Shape.Fields route() {
        return ROUTE;
    }
}
