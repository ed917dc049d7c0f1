package io.resilienceproxy.cli;

/** What the demo shows: one curl line each, which can be run in any order and as often as one likes. */
enum DemoLine {
    FORWARDED(
            "A call is forwarded",
            "-si",
            "/forward/hello",
            "200 from the upstream, which counts in X-Demo-Request what has reached it"),
    // The key is the time, so that each run is a new one to the upstream.
    RETRIED(
            "A retry saves a call",
            "-si",
            "/retry/hello?fail-first=1&key=$(date +%s)",
            "200, although the upstream failed once: Proxy-Status says attempts=2"),
    BREAKER_OPENS(
            "A circuit breaker opens",
            "-s",
            "/breaker/call-[1-5]?status=500",
            "500 three times, then circuit-open and not-sent: the upstream is left alone for 5 s"),
    BULKHEAD_REFUSES(
            "A bulkhead refuses",
            "--no-progress-meter --parallel --parallel-immediate",
            "/bulkhead/call-[1-5]?delay=2s",
            "bulkhead-full for three of five at once, while two take their 2 s"),
    DEADLINE_ENDS(
            "A deadline runs out",
            "-si -H 'X-Request-Deadline-Ms: 1000'",
            "/deadline/hello?delay=3s",
            "504 after one second and not after three, and outcome unknown: it had been sent");

    private final String shows;
    private final String options;
    private final String target;
    private final String watch;

    DemoLine(String shows, String options, String target, String watch) {
        this.shows = shows;
        this.options = options;
        this.target = target;
        this.watch = watch;
    }

    /** The line for a shell. */
    String command(int port) {
        return "curl " + options + " \"http://localhost:" + port + target + '"';
    }

    /** What it shows, the command, what to look at. */
    String text(int port) {
        return """
                %d. %s
                   %s
                   look at: %s
                """.formatted(ordinal() + 1, shows, command(port), watch);
    }
}
