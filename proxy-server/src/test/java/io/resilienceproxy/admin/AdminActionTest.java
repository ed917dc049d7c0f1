package io.resilienceproxy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What changes something is for this machine, and for nobody who only looks like it (pitfall B62). */
class AdminActionTest {

    private final AtomicInteger quits = new AtomicInteger();
    private final AdminServer server = new AdminServer(Map.of(), Map.of(), Map.of("/quit", quits::incrementAndGet));
    private int port;

    @BeforeEach
    void start() throws IOException {
        port = server.start("127.0.0.1", 0);
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    @Test
    void aPostFromThisMachineActsOnce() {
        assertThat(ask("POST", "Host: localhost:" + port).status()).isEqualTo(202);
        assertThat(quits).hasValue(1);
    }

    @Test
    void anyOtherMethodIsToldWhichOneActs() {
        RawResponse response = ask("GET", "Host: localhost");

        assertThat(response.status()).isEqualTo(405);
        assertThat(response.field("Allow")).isEqualTo("POST");
        assertThat(quits).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({
        "Host: rebound.example",
        "Host: 127.0.0.1.rebound.example",
        "Host: 10.1.2.3:9480",
        "Host: localhost~Origin: http://rebound.example",
    })
    void aPageInABrowserAndAnotherNameAreRefused(String fields) {
        assertThat(ask("POST", fields.replace("~", "\r\n")).status()).isEqualTo(403);
        assertThat(quits).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, true", "::1, true", "127.0.0.6, false", "10.1.2.3, false", "fe80::1, false"})
    void aPeerElsewhereAndAMeshThatHandsOnAreRefused(String peer, boolean local) {
        HttpHeaders fields = new DefaultHttpHeaders().set("Host", "localhost");

        assertThat(LocalCaller.is(new InetSocketAddress(peer, 1), fields)).isEqualTo(local);
    }

    private RawResponse ask(String method, String fields) {
        try (RawClient client = RawClient.connect(port)) {
            client.send(method + " /quit HTTP/1.1\r\n" + fields + "\r\nContent-Length: 0\r\n\r\n");
            return client.readFinalResponse(method);
        }
    }
}
