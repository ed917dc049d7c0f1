package io.resilienceproxy.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdminServerTest {

    private static final String HOST = "127.0.0.1";
    private static final int READ_TIMEOUT_MILLIS = 10_000;

    private final AtomicReference<String> whyNotReady = new AtomicReference<>();
    private final AdminServer server =
            new AdminServer(AdminViews.of(this::metrics, accept -> AdminPage.yaml("threads: 1\n"), whyNotReady::get));
    private final HttpClient client = HttpClient.newHttpClient();
    private boolean metricsBroken;
    private int port;

    @BeforeEach
    void start() throws IOException {
        port = server.start(HOST, 0);
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private AdminPage metrics(String accept) {
        if (metricsBroken) {
            throw new IllegalStateException("broken");
        }
        return new AdminPage(200, "text/plain; version=0.0.4", ("up 1 # " + accept).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void handsTheAcceptFieldToTheScrapeAndItsAnswerBack() throws Exception {
        HttpResponse<String> response =
                send(request("/metrics?name=up").header("Accept", "application/openmetrics-text"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("up 1 # application/openmetrics-text");
        assertThat(response.headers().firstValue("Content-Type")).hasValue("text/plain; version=0.0.4");
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
    }

    @Test
    void isLiveAlsoWhenItIsNotReadyAndSaysWhyItIsNot() throws Exception {
        whyNotReady.set("shutting down");
        assertThat(send(request("/livez")).statusCode()).isEqualTo(200);
        HttpResponse<String> notReady = send(request("/readyz"));
        assertThat(notReady.statusCode()).isEqualTo(503);
        assertThat(notReady.body()).isEqualTo("not ready: shutting down\n");

        whyNotReady.set(null);
        assertThat(send(request("/readyz")).statusCode()).isEqualTo(200);
    }

    @Test
    void showsThePolicyAsYaml() throws Exception {
        HttpResponse<String> response = send(request("/policy"));

        assertThat(response.headers().firstValue("Content-Type")).contains("text/yaml; charset=utf-8");
        assertThat(response.body()).isEqualTo("threads: 1\n");
    }

    @Test
    void listsItsPagesAndKnowsNoOthers() throws Exception {
        assertThat(send(request("/")).body().lines())
                .containsExactly("resilience-proxy", "/livez", "/metrics", "/policy", "/readyz");
        assertThat(send(request("/metrics/more")).statusCode()).isEqualTo(404);
        assertThat(send(request("/quit").POST(BodyPublishers.noBody())).statusCode())
                .isEqualTo(404);
    }

    @Test
    void isReadOnly() throws Exception {
        HttpResponse<String> response = send(request("/metrics").POST(BodyPublishers.ofString("x")));

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).hasValue("GET, HEAD");
    }

    @Test
    void answersHeadWithTheLengthAndWithoutTheBody() throws Exception {
        String answer = exchange("HEAD /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 200 ")
                .contains("content-length: 5\r\n")
                .endsWith("\r\n\r\n");
    }

    @Test
    void keepsAConnectionOpenAndAnswersPipelinedRequestsInOrder() throws Exception {
        String answers = exchange("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
                + "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n"
                + "GET http://a/livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

        assertThat(answers.lines().filter(line -> line.equals("live") || line.equals("ready")))
                .containsExactly("live", "ready", "live");
    }

    @Test
    void answersWhatIsNotHttpWith400AndCloses() throws Exception {
        assertThat(exchange("NOT HTTP\r\n\r\n")).startsWith("HTTP/1.1 400 ").contains("connection: close");
        assertThat(exchange("GET /livez HTTP/1.1\r\nX: " + "a".repeat(10_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
    }

    @Test
    void refusesABodyThatIsTooLarge() throws Exception {
        assertThat(exchange("POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 413 ");
    }

    @Test
    void answers500AndGoesOnWhenAPageFails() throws Exception {
        metricsBroken = true;
        assertThat(send(request("/metrics")).statusCode()).isEqualTo(500);
        assertThat(send(request("/livez")).statusCode()).isEqualTo(200);
    }

    @Test
    void closesConnectionsBeyondItsLimitAndServesAgainWhenOneIsFree() throws Exception {
        List<Socket> held = new ArrayList<>();
        for (int i = 0; i < AdminServer.MAX_CONNECTIONS; i++) {
            Socket socket = connect();
            held.add(socket);
            socket.getOutputStream()
                    .write("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
        }
        try (Socket beyond = connect()) {
            assertThat(beyond.getInputStream().read()).isEqualTo(-1);
        }
        for (Socket socket : held) {
            socket.close();
        }
        await().ignoreExceptions().until(() -> send(request("/livez")).statusCode() == 200);
    }

    @Test
    void namesTheAddressThatItCannotListenOn() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            AdminServer second = new AdminServer(
                    AdminViews.of(this::metrics, accept -> AdminPage.yaml("threads: 1\n"), whyNotReady::get));

            assertThatThrownBy(() -> second.start(HOST, taken.getLocalPort()))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("admin: cannot listen on " + HOST + ":" + taken.getLocalPort() + ": ");
        }
    }

    @Test
    void closesItsConnectionsAndListensNoMoreOnceStopped() throws IOException {
        try (Socket idle = connect()) {
            idle.getOutputStream().write("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(idle.getInputStream().read()).isEqualTo('H');
            server.stop();

            idle.getInputStream().readAllBytes();
            assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://" + HOST + ":" + port + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(HOST, port);
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        return socket;
    }

    /** Everything that comes back until the server closes. */
    private String exchange(String bytes) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
