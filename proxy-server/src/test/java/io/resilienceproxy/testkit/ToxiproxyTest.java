package io.resilienceproxy.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import io.resilienceproxy.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ToxiproxyExtension.class)
class ToxiproxyTest {

    private final ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());

    @AfterEach
    void stop() {
        upstream.close();
    }

    @Test
    void latencyDelaysTheResponse(Toxiproxy toxiproxy) throws IOException {
        Proxy link = toxiproxy.before(upstream.port());
        link.toxics().latency("late", ToxicDirection.DOWNSTREAM, 300);

        try (RawClient client = RawClient.connect(Toxiproxy.port(link))) {
            long started = Clock.SYSTEM.nanoTime();
            assertThat(client.get("/", "h").status()).isEqualTo(200);
            assertThat(Duration.ofNanos(Clock.SYSTEM.nanoTime() - started))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(295));
        }
    }

    @Test
    void resetPeerResetsTheConnection(Toxiproxy toxiproxy) throws IOException {
        Proxy link = toxiproxy.before(upstream.port());
        link.toxics().resetPeer("reset", ToxicDirection.DOWNSTREAM, 0);

        try (RawClient client = RawClient.connect(Toxiproxy.port(link))) {
            client.sendRequest("GET", "/", "h");

            assertThat(client.isClosedByPeer(Duration.ofSeconds(5))).isTrue();
            assertThat(client.end()).isEqualTo(ConnectionEnd.RST);
            assertThat(client.received()).isEmpty();
        }
    }

    @Test
    void aDisabledLinkRefusesUntilItIsEnabledAgain(Toxiproxy toxiproxy) throws IOException {
        Proxy link = toxiproxy.before(upstream.port());
        int port = Toxiproxy.port(link);
        link.disable();
        assertThatThrownBy(() -> RawClient.connect(port)).isInstanceOf(UncheckedIOException.class);

        link.enable();

        try (RawClient client = RawClient.connect(port)) {
            assertThat(client.get("/", "h").status()).isEqualTo(200);
        }
    }
}
