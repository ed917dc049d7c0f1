package io.resilienceproxy.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.peers.UpstreamPeer.Running;
import io.resilienceproxy.testkit.Nginx;
import io.resilienceproxy.testkit.TestProxy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every client against every server, through the proxy. */
class PeersIT {

    private static final byte[] BODY = new byte[100_000];

    static {
        new Random(7).nextBytes(BODY);
    }

    @TempDir
    private Path directory = Path.of("");

    static Stream<Arguments> pairs() {
        return Arrays.stream(ClientPeer.values())
                .flatMap(
                        client -> Arrays.stream(UpstreamPeer.values()).map(upstream -> Arguments.of(client, upstream)));
    }

    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource("pairs")
    void understandEachOther(ClientPeer client, UpstreamPeer upstream) {
        try (Running running = upstream.start(directory);
                TestProxy proxy = TestProxy.of(running.port())) {
            URI uri = URI.create("http://127.0.0.1:" + proxy.port() + "/up/");

            Answer got = client.exchange(directory, "GET", uri, null, false);
            assertThat(got.status()).isEqualTo(200);
            assertThat(got.text())
                    .isEqualTo(upstream.describesTheBody() ? UpstreamPeer.description(new byte[0]) : Nginx.BODY);

            Answer head = client.exchange(directory, "HEAD", uri, null, false);
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.body()).isEmpty();

            for (boolean chunked : new boolean[] {false, true}) {
                Answer posted = client.exchange(directory, "POST", uri, BODY, chunked);
                assertThat(posted.status()).isEqualTo(200);
                if (upstream.describesTheBody()) {
                    assertThat(posted.text()).isEqualTo(UpstreamPeer.description(BODY));
                }
            }
        }
    }

    @Test
    void compressedBodiesPassUntouched() throws IOException {
        try (Running upstream = UpstreamPeer.PYTHON_HTTP_SERVER.start(directory);
                TestProxy proxy = TestProxy.of(upstream.port())) {
            URI uri = URI.create("http://127.0.0.1:" + proxy.port() + "/up/gzip");

            byte[] got =
                    ClientPeer.CURL.exchange(directory, "GET", uri, null, false).body();

            byte[] inflated = new GZIPInputStream(new ByteArrayInputStream(got)).readAllBytes();
            assertThat(new String(inflated, StandardCharsets.US_ASCII)).isEqualTo("squeezed ".repeat(1000));
        }
    }

    @Test
    void webSocketMessagesComeBack() throws Exception {
        try (Running upstream = UpstreamPeer.UNDERTOW.start(directory);
                TestProxy proxy = TestProxy.of(upstream.port())) {
            CompletableFuture<String> echoed = new CompletableFuture<>();
            WebSocket socket = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .buildAsync(URI.create("ws://127.0.0.1:" + proxy.port() + "/up/chat"), collecting(echoed))
                    .get(10, TimeUnit.SECONDS);

            socket.sendText("through and back", true);

            assertThat(echoed.get(10, TimeUnit.SECONDS)).isEqualTo("through and back");
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "done").get(10, TimeUnit.SECONDS);
        }
    }

    private static WebSocket.Listener collecting(CompletableFuture<String> message) {
        StringBuilder text = new StringBuilder();
        return new WebSocket.Listener() {
            @Override
            public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
                text.append(data);
                if (last) {
                    message.complete(text.toString());
                }
                return WebSocket.Listener.super.onText(socket, data, last);
            }
        };
    }

    @Test
    void wrkSeesNoError() {
        Programs.need("wrk", "wrk");
        try (Nginx nginx = Nginx.start(directory);
                TestProxy proxy = TestProxy.of(nginx.port(), "pool: {max-connections: 40}")) {
            String url = "http://127.0.0.1:" + proxy.port() + "/up/";

            String report =
                    new String(Programs.output(List.of("wrk", "-t1", "-c16", "-d2s", url)), StandardCharsets.US_ASCII);

            assertThat(report).contains("requests in").doesNotContain("Non-2xx").doesNotContain("Socket errors");
        }
    }
}
