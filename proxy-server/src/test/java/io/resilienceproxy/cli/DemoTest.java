package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.resilienceproxy.testkit.RawResponse;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs the lines as the demo prints them, and holds what it promises for each. */
class DemoTest {

    private static final Pattern SHOWN = Pattern.compile("(?m)^ {3}(curl .*)$");

    private final Demo demo = Demo.start(0, 0);
    private final List<String> shown =
            SHOWN.matcher(demo.text()).results().map(match -> match.group(1)).toList();
    private long time = 1_700_000_000;

    @AfterEach
    void stop() {
        demo.close();
    }

    @Test
    void printsItsLinesEachWithWhatToLookAt() {
        assertThat(shown).hasSize(DemoLine.values().length).hasSize(5);
        assertThat(demo.text().lines().filter(line -> line.startsWith("   look at: ")))
                .hasSize(5);
        assertThat(demo.text())
                .contains("curl -s http://localhost:" + demo.proxy().adminPort() + "/metrics");
    }

    @Test
    void forwardsACall() {
        RawResponse response = run(DemoLine.FORWARDED).get(0);

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.field("X-Demo-Request")).isEqualTo("1");
    }

    @Test
    void aRetrySavesACall() {
        RawResponse response = run(DemoLine.RETRIED).get(0);

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.field("Proxy-Status")).startsWith("resilience-proxy; attempts=2; next-hop=\"127.0.0.1:");
        assertThat(demo.upstream().requests()).isEqualTo(2);
    }

    @Test
    void theBreakerOpensAndLeavesTheUpstreamAlone() {
        List<RawResponse> responses = run(DemoLine.BREAKER_OPENS);

        assertThat(responses).extracting(RawResponse::status).containsExactly(500, 500, 500, 503, 503);
        assertThat(responses.get(3).bodyText())
                .contains("\"reason\":\"circuit-open\"")
                .contains("\"outcome\":\"not-sent\"");
        assertThat(responses.get(4).field("Retry-After")).isNotNull();
        assertThat(demo.upstream().requests()).isEqualTo(3);
    }

    @Test
    void theBulkheadRefusesWhatIsTooMuchAtOnce() {
        List<RawResponse> responses = run(DemoLine.BULKHEAD_REFUSES);

        assertThat(responses).extracting(RawResponse::status).containsExactlyInAnyOrder(200, 200, 503, 503, 503);
        assertThat(responses)
                .filteredOn(response -> response.status() == 503)
                .allSatisfy(response -> assertThat(response.bodyText()).contains("\"reason\":\"bulkhead-full\""));
        assertThat(demo.upstream().requests()).isEqualTo(2);
    }

    @Test
    void theDeadlineEndsACall() {
        RawResponse response = run(DemoLine.DEADLINE_ENDS).get(0);

        assertThat(response.status()).isEqualTo(504);
        assertThat(response.bodyText()).contains("\"reason\":\"call-timeout\"").contains("\"outcome\":\"unknown\"");
    }

    @Test
    void theLinesLeaveEachOtherAlone() {
        for (DemoLine line : List.of(DemoLine.BREAKER_OPENS, DemoLine.DEADLINE_ENDS, DemoLine.BULKHEAD_REFUSES)) {
            run(line);
        }

        assertThat(run(DemoLine.FORWARDED).get(0).status()).isEqualTo(200);
        assertThat(run(DemoLine.RETRIED).get(0).status()).isEqualTo(200);
    }

    @Test
    void aLineThatIsRunAgainShowsTheSameAgain() {
        for (int i = 0; i < 30; i++) {
            RawResponse response = run(DemoLine.RETRIED).get(0);

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.field("Proxy-Status"))
                    .startsWith("resilience-proxy; attempts=2; next-hop=\"127.0.0.1:");
        }
    }

    @Test
    void aTakenPortIsAStartupFailure() {
        int taken = demo.proxy().server().port();

        assertThatThrownBy(() -> Demo.start(taken, 0))
                .isInstanceOf(StartupFailure.class)
                .hasMessage("cannot listen on 127.0.0.1:" + taken + ": Address already in use");
    }

    private List<RawResponse> run(DemoLine line) {
        return CurlLine.parse(shown.get(line.ordinal()), time++).run();
    }
}
