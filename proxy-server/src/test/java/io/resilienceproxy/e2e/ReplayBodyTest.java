package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.testkit.ConnectionEnd;
import io.resilienceproxy.testkit.Field;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.testkit.UpstreamRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Every attempt carries the same bytes, or there is no other attempt. */
class ReplayBodyTest {

    private static final String QUICK = "retry: {wait-duration: 1ms, methods: [GET, PUT]}";
    private static final String REFUSED_CONNECTS =
            "resilience_proxy_attempts_total{result=\"connection-refused\",route=\"default\",upstream=\"up\"}";
    private static final int MAX_REPLAY = 64 * 1024;

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(42).nextBytes(bytes);
        return bytes;
    }

    private static String head(String method, String framing) {
        return method + " /up/order HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: 8e03978e\r\n" + framing
                + "\r\n\r\n";
    }

    /** All but the deadline, which is one attempt shorter, and the number of the attempt. */
    private static void assertSame(List<UpstreamRequest> requests) {
        assertThat(requests).hasSize(2).allMatch(UpstreamRequest::complete);
        UpstreamRequest first = requests.get(0);
        UpstreamRequest second = requests.get(1);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.framing()).isEqualTo(first.framing());
        assertThat(second.trailers()).isEqualTo(first.trailers());
        assertThat(second.target()).isEqualTo(first.target());
        assertThat(withoutNumbers(second)).isEqualTo(withoutNumbers(first));
    }

    private static List<Field> withoutNumbers(UpstreamRequest request) {
        return request.fields().stream()
                .filter(field -> !field.name().equalsIgnoreCase("X-Request-Deadline-Ms"))
                .filter(field -> !field.name().equalsIgnoreCase("X-Attempt"))
                .toList();
    }

    @Test
    void aWriteWithoutKeyIsSentOnce() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "no"));
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK);
                RawClient client = proxy.connect()) {
            client.sendRequest("POST", "/up/", "localhost", "Content-Length: 2").send("{}");

            assertThat(client.readResponse("POST").status()).isEqualTo(503);
            assertThat(upstream.requests()).hasSize(1);
        }
    }

    @Test
    void aWriteWhoseKeyEndsAtThisHopIsSentOnce() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "no"));
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK);
                RawClient client = proxy.connect()) {
            client.send(head("POST", "Connection: idempotency-key\r\nContent-Length: 2") + "{}");

            assertThat(client.readResponse("POST").status()).isEqualTo(503);
            assertThat(upstream.requests()).hasSize(1);
            assertThat(upstream.awaitRequest().field("Idempotency-Key")).isNull();
        }
    }

    @Test
    void aWriteWithKeyIsReplayedByteForByte() {
        byte[] body = random(MAX_REPLAY);
        try (ScriptedUpstream upstream =
                        ScriptedUpstream.start(Scripts.first(1, Scripts.status(503, "no"), Scripts.ok()));
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK);
                RawClient client = proxy.connect()) {
            client.send(head("POST", "Content-Length: " + body.length)).send(body);

            RawResponse response = client.readResponse("POST");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.field("Proxy-Status"))
                    .isEqualTo("resilience-proxy; attempts=2; next-hop=\"127.0.0.1:" + upstream.port() + "\"");
            assertSame(upstream.requests());
            assertThat(upstream.requests().get(0).body()).isEqualTo(body);
        }
    }

    @Test
    void chunksAndTrailersAreReplayedToo() {
        try (ScriptedUpstream upstream =
                        ScriptedUpstream.start(Scripts.first(1, Scripts.status(503, "no"), Scripts.ok()));
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK);
                RawClient client = proxy.connect()) {
            client.send(head("POST", "Transfer-Encoding: chunked\r\nTrailer: X-Sum"))
                    .send("5\r\nhello\r\n")
                    .send("6\r\n world\r\n0\r\nX-Sum: 11\r\n\r\n");

            assertThat(client.readResponse("POST").status()).isEqualTo(200);
            assertSame(upstream.requests());
            assertThat(upstream.requests().get(1).bodyText()).isEqualTo("hello world");
            assertThat(upstream.requests().get(1).trailers())
                    .extracting(Field::value)
                    .containsExactly("11");
        }
    }

    @Test
    void whatIsSentAfterTheFirstAttemptFailedGoesToTheSecond() {
        byte[] body = random(20_000);
        try (ScriptedUpstream upstream = ScriptedUpstream.startAtHead(Scripts.first(
                        1,
                        (request, reply) -> reply.respond(503, "no"),
                        (request, reply) -> reply.readBody().respond(200, "ok")));
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK);
                RawClient client = proxy.connect()) {
            client.send(head("PUT", "Content-Length: " + body.length)).send(Arrays.copyOf(body, 10_000));
            upstream.connection(2);
            client.send(Arrays.copyOfRange(body, 10_000, body.length));

            assertThat(client.readResponse("PUT").status()).isEqualTo(200);
            assertThat(upstream.requests().get(1).body()).isEqualTo(body);
        }
    }

    /** The upstream reads on after its refusal: the first connection must not be used for anything else. */
    @Test
    void halfABodyIsNeverCompletedOnAConnectionThatAnsweredEarly() {
        try (ScriptedUpstream upstream = ScriptedUpstream.startAtHead(Scripts.first(
                        1,
                        (request, reply) -> reply.respond(503, "no"),
                        (request, reply) -> reply.readBody().respond(200, "ok")));
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK);
                RawClient client = proxy.connect()) {
            client.send(head("PUT", "Content-Length: 10")).send("12345");
            upstream.connection(2);
            client.send("67890");

            assertThat(client.readResponse("PUT").status()).isEqualTo(200);
            assertThat(upstream.connection(1).received()).doesNotContain("67890");
            assertThat(upstream.connection(1).awaitEnd(Duration.ofSeconds(5))).isNotEqualTo(ConnectionEnd.OPEN);
            upstream.forgiveFaults();
        }
    }

    @Test
    void aBodyThatComesOnlyAfterARefusedConnectIsSentWhole() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(
                        upstream.port(), "retry: {wait-duration: 1s, max-wait-duration: 1s, max-attempts: 5}");
                RawClient client = proxy.connect().patience(Duration.ofSeconds(20))) {
            upstream.down();
            client.send("POST /up/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n");
            await().until(() -> proxy.metric(REFUSED_CONNECTS) >= 1);
            upstream.up();
            client.send("hello");

            assertThat(client.readResponse("POST").status()).isEqualTo(200);
            assertThat(upstream.awaitRequest().bodyText()).isEqualTo("hello");
        }
    }

    @Test
    void aBodyOneByteLongerThanMayBeKeptIsNotReplayed() {
        byte[] body = random(MAX_REPLAY + 1);
        try (ScriptedUpstream upstream =
                        ScriptedUpstream.start(Scripts.status(503, "why", "Retry-After: 0", "X-From: upstream"));
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK);
                RawClient client = proxy.connect()) {
            client.send(head("POST", "Content-Length: " + body.length)).send(body);

            RawResponse response = client.readResponse("POST");
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.bodyText()).isEqualTo("why");
            assertThat(response.field("X-From")).isEqualTo("upstream");
            assertThat(upstream.requests()).hasSize(1);
            assertThat(upstream.requests().get(0).body()).isEqualTo(body);
            assertThat(
                            proxy.metric(
                                    "resilience_proxy_retries_refused_total{cause=\"not-replayable\",route=\"default\",upstream=\"up\"}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void aLongBodyArrivesWholeThoughItsFirstConnectionHadToBeWaitedFor() {
        byte[] body = random(500_000);
        CountDownLatch free = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) -> {
                    if (request.method().equals("GET")) {
                        reply.await(free);
                    }
                    reply.respond(200, "ok");
                });
                TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        "pool: {max-connections: 1}",
                        "bulkhead: {max-concurrent-calls: 2}",
                        "timeouts: {connect: 10s, read: 20s, call: 40s}");
                RawClient first = proxy.connect();
                RawClient second = proxy.connect()) {
            first.sendRequest("GET", "/up/", "localhost");
            upstream.connection(1);
            Thread sender = new Thread(() -> second.send(
                            "POST /up/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .send(body));
            sender.start();
            await().until(() -> proxy.metric("resilience_proxy_pool_waiting{upstream=\"up\"}") == 1);
            free.countDown();

            assertThat(second.readResponse("POST").status()).isEqualTo(200);
            assertThat(upstream.requests().get(1).body()).isEqualTo(body);
        }
    }
}
