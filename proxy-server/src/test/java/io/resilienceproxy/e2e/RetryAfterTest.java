package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An upstream that says when to come back is taken at its word, or left alone (RFC 9110 section 10.2.3). */
class RetryAfterTest {

    private static final String QUICK = "retry: {wait-duration: 1ms}";
    private static final String LONG_CALL = "timeouts: {connect: 500ms, read: 2s, call: 20s}";

    private static Duration timeOf(TestProxy proxy, int expectedStatus) {
        try (RawClient client = proxy.connect().patience(Duration.ofSeconds(15))) {
            long start = Clock.SYSTEM.nanoTime();
            assertThat(client.get("/up/", "localhost").status()).isEqualTo(expectedStatus);
            return Duration.ofNanos(Clock.SYSTEM.nanoTime() - start);
        }
    }

    private static ScriptedUpstream onceUnavailable(String retryAfter) {
        return ScriptedUpstream.start(
                Scripts.first(1, Scripts.status(503, "no", "Retry-After: " + retryAfter), Scripts.ok()));
    }

    @Test
    void secondsAreWaitedOut() {
        try (ScriptedUpstream upstream = onceUnavailable("2");
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK, LONG_CALL)) {
            assertThat(timeOf(proxy, 200)).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM ppd HH:mm:ss yyyy"
            })
    void aDateInEachOfItsThreeFormsIsWaitedFor(String form) {
        ZonedDateTime date =
                ZonedDateTime.ofInstant(Clock.SYSTEM.now(), ZoneOffset.UTC).plusSeconds(3);
        String value = DateTimeFormatter.ofPattern(form, Locale.US).format(date);
        try (ScriptedUpstream upstream = onceUnavailable(value);
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK, LONG_CALL)) {
            assertThat(timeOf(proxy, 200)).isGreaterThan(Duration.ofSeconds(1));
        }
    }

    /** 0 and the past mean now; what cannot be read means nothing, and our own pause, of a millisecond, holds. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "Sun, 06 Nov 1994 08:49:37 GMT", "-1", "+2", "1.5", "soon", "", "2\r\nRetry-After: 3"})
    void whatAsksForNoPauseGetsNone(String value) {
        try (ScriptedUpstream upstream = onceUnavailable(value);
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK, LONG_CALL)) {
            assertThat(timeOf(proxy, 200)).isLessThan(Duration.ofMillis(1500));
        }
    }

    /** Waiting for it would be in vain, and the caller can read the field as well as we can. */
    @ParameterizedTest
    @ValueSource(strings = {"3600", "20", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"})
    void whatReachesBeyondTheDeadlineIsAnsweredNowWithTheUpstreamsAnswer(String value) {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "why", "Retry-After: " + value));
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK, LONG_CALL);
                RawClient client = proxy.connect()) {
            RawResponse response = client.get("/up/", "localhost");

            assertThat(response.status()).isEqualTo(503);
            assertThat(response.bodyText()).isEqualTo("why");
            assertThat(response.field("Retry-After")).isEqualTo(value);
            assertThat(response.field("Proxy-Status")).isNull();
            assertThat(upstream.requests()).hasSize(1);
            assertThat(proxy.upstream("up").budget().balanceThousandths()).isEqualTo(5000);
            assertThat(
                            proxy.metric(
                                    "resilience_proxy_retries_refused_total{cause=\"deadline\",route=\"default\",upstream=\"up\"}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void tooManyRequestsIsRetriedWhenItIsTime() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(
                        Scripts.first(1, Scripts.status(429, "slowly", "Retry-After: 1"), Scripts.ok()));
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK, LONG_CALL)) {
            assertThat(timeOf(proxy, 200)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        }
    }
}
