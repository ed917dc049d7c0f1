package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.testkit.ConnectionEnd;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoUpstreamTest {

    private final DemoUpstream upstream = new DemoUpstream();
    private final RawClient client = RawClient.connect(upstream.start());

    @AfterEach
    void stop() {
        client.close();
        upstream.close();
    }

    @Test
    void saysHowOftenItWasCalled() {
        assertThat(get("/a").field("X-Demo-Request")).isEqualTo("1");
        RawResponse second = get("/b");

        assertThat(second.field("X-Demo-Request")).isEqualTo("2");
        assertThat(second.field("Content-Type")).isEqualTo("application/json");
        assertThat(second.bodyText()).isEqualTo("{\"request\":2,\"status\":200,\"message\":\"ok\"}\n");
        assertThat(upstream.requests()).isEqualTo(2);
    }

    @Test
    void answersWithTheStatusThatIsAskedFor() {
        assertThat(get("/?status=503").status()).isEqualTo(503);
        assertThat(get("/?status=204").status()).isEqualTo(204);
        assertThat(get("/?status=404").bodyText()).contains("\"status\":404");
    }

    @Test
    void failsTheFirstRequestsOfEachKey() {
        assertThat(get("/?fail-first=2&key=a").status()).isEqualTo(503);
        assertThat(get("/?fail-first=2&key=a").status()).isEqualTo(503);
        assertThat(get("/?fail-first=1&key=b").status()).isEqualTo(503);
        assertThat(get("/?fail-first=2&key=a").status()).isEqualTo(200);
        assertThat(get("/?fail-first=1&key=b").status()).isEqualTo(200);
    }

    @Test
    void answersNoSoonerThanTheDelay() {
        long started = Clock.SYSTEM.nanoTime();

        assertThat(get("/?delay=200ms").status()).isEqualTo(200);

        assertThat(Duration.ofNanos(Clock.SYSTEM.nanoTime() - started)).isGreaterThanOrEqualTo(Duration.ofMillis(199));
    }

    @Test
    void resetsTheConnectionOfADeadRequest() {
        client.sendRequest("GET", "/?dead", "demo");

        assertThat(client.isClosedByPeer(Duration.ofSeconds(5))).isTrue();
        assertThat(client.end()).isEqualTo(ConnectionEnd.RST);
        assertThat(client.received()).isEmpty();
    }

    @Test
    void holdsARequestForEverAndServesOthersMeanwhile() {
        client.sendRequest("GET", "/?hold", "demo");
        await().until(() -> upstream.requests() == 1);

        assertThat(client.isClosedByPeer(Duration.ofMillis(200))).isFalse();
        assertThat(client.received()).isEmpty();
    }

    @Test
    void endsItsConnectionsWhenItIsClosed() {
        client.sendRequest("GET", "/?hold", "demo");
        await().until(() -> upstream.requests() == 1);

        upstream.close();

        assertThat(client.isClosedByPeer(Duration.ofSeconds(5))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"delay=3", "delay=-1s", "delay=", "status=99", "status=abc", "status=103", "fail-first=-1"})
    void refusesAParameterThatItCannotRead(String query) {
        RawResponse response = get("/?" + query);

        assertThat(response.status()).isEqualTo(400);
        assertThat(response.bodyText()).contains("expected: a ");
    }

    @Test
    void quotesWhatWasTypedSafely() {
        assertThat(get("/?delay=%22%5C%0A").bodyText()).contains("\\u0022\\u005c\\u000a");
    }

    private RawResponse get(String target) {
        return client.get(target, "demo");
    }
}
