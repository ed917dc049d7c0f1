package io.resilienceproxy.cli;

import io.resilienceproxy.metrics.ProxyMeters;
import io.resilienceproxy.policy.Problem;
import io.resilienceproxy.policy.Problem.Severity;
import io.resilienceproxy.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which policy is in use since when, and what became of the last load: in the log, in the metrics, and as a page. Written
 * by the thread that loads, read by any.
 */
final class PolicyStatus {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyStatus.class);

    /** @param refused of a newer file, empty if there is none: hash, time and problems */
    private record State(String hash, Instant since, List<Problem> warnings, List<String> refused) {}

    private final ProxyMeters meters;
    private final Clock clock;
    private volatile State state;

    PolicyStatus(ProxyMeters meters, Clock clock) {
        this.meters = meters;
        this.clock = clock;
        this.state = new State("none", now(), List.of(), List.of());
    }

    private Instant now() {
        return clock.now().truncatedTo(ChronoUnit.SECONDS);
    }

    /** In use from now on. What has the same hash as before stays in use since when it was. */
    void accepted(String hash, List<Problem> warnings) {
        State last = state;
        Instant since = hash.equals(last.hash()) ? last.since() : now();
        state = new State(hash, since, List.copyOf(warnings), List.of());
        meters.configAccepted(hash, warnings.size());
    }

    /** One line with every problem: a file is refused as a whole. */
    void rejected(String hash, List<Problem> findings) {
        List<String> errors = texts(findings, Severity.ERROR);
        rejected(hash, errors, findings.size() - errors.size());
    }

    /** @param errors in words, at least one */
    void rejected(String hash, List<String> errors, int warnings) {
        State last = state;
        Instant at = now();
        String header = "refused: hash " + hash + " at " + at + ", " + errors.size() + " problems";
        state = new State(
                last.hash(),
                last.since(),
                last.warnings(),
                Stream.concat(Stream.of(header), errors.stream()).toList());
        meters.configRejected(errors.size(), warnings);
        LOG.error(
                "policy refused hash={} in_use={} since={} problems={}: {}",
                hash,
                last.hash(),
                last.since(),
                errors.size(),
                String.join("; ", errors));
    }

    private static List<String> texts(List<Problem> findings, Severity severity) {
        return findings.stream()
                .filter(problem -> problem.severity() == severity)
                .map(Problem::toString)
                .toList();
    }

    /** For people. */
    String text() {
        State present = state;
        StringBuilder text = new StringBuilder("in use: hash " + present.hash() + " since " + present.since());
        present.warnings().forEach(warning -> text.append("\n  ").append(warning));
        String indent = "\n";
        for (String line : present.refused()) {
            text.append(indent).append(line);
            indent = "\n  ";
        }
        return text.toString();
    }
}
