package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.testkit.UpstreamRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who is served when permits run short. */
class PriorityTest {

    private static final String PATIENT = "timeouts: {connect: 1s, read: 10s, call: 20s}";
    private static final String ROUTES =
            "routes: [{name: users, path: /users, priority: high}, {name: job, path: /job, priority: low}]";

    private final Semaphore answers = new Semaphore(0);
    private final ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) -> {
        answers.acquire();
        reply.respond(200, request.target());
    });

    @AfterEach
    void stop() {
        answers.release(1000);
        upstream.close();
    }

    private static double shed(TestProxy proxy, String priority, String cause) {
        return proxy.metric("resilience_proxy_bulkhead_shed_total{bulkhead=\"up\",cause=\"" + cause + "\",priority=\""
                + priority + "\",upstream=\"up\"}");
    }

    private static void waiting(TestProxy proxy, int count) {
        await().until(() -> proxy.upstream("up").bulkhead().waiting() == count);
    }

    private List<String> served() {
        return upstream.requests().stream().map(UpstreamRequest::target).toList();
    }

    @Test
    void theHighestIsServedFirstAndTheRequestsOwnWordCounts() {
        try (TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        PATIENT,
                        "bulkhead: {max-concurrent-calls: 1, max-waiting: 9, max-wait-duration: 10s}",
                        ROUTES);
                Callers callers = Callers.of(proxy, 6)) {
            callers.get(0).sendRequest("GET", "/up/first", "localhost");
            await().until(() -> upstream.requests().size() == 1);
            callers.get(1).sendRequest("GET", "/up/job/1", "localhost");
            waiting(proxy, 1);
            callers.get(2).sendRequest("GET", "/up/other", "localhost");
            waiting(proxy, 2);
            callers.get(3).sendRequest("GET", "/up/users/1", "localhost");
            waiting(proxy, 3);
            callers.get(4).sendRequest("GET", "/up/job/urgent", "localhost", "Priority: u=0");
            waiting(proxy, 4);
            callers.get(5).sendRequest("GET", "/up/users/export", "localhost", "Priority: u=7, i");
            waiting(proxy, 5);

            answers.release(6);
            assertThat(callers.responses()).allMatch(response -> response.status() == 200);

            assertThat(served())
                    .containsExactly("/first", "/users/1", "/job/urgent", "/other", "/job/1", "/users/export");
            assertThat(upstream.requests().get(2).field("Priority"))
                    .as("end to end")
                    .isEqualTo("u=0");
        }
    }

    @Test
    void aFullQueueShedsTheLowestAtOnce() {
        try (TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        PATIENT,
                        "bulkhead: {max-concurrent-calls: 1, max-waiting: 1, max-wait-duration: 10s}",
                        ROUTES);
                Callers callers = Callers.of(proxy, 4)) {
            callers.get(0).sendRequest("GET", "/up/first", "localhost");
            await().until(() -> upstream.requests().size() == 1);
            callers.get(1).sendRequest("GET", "/up/job/1", "localhost");
            waiting(proxy, 1);
            assertThat(Problem.of(callers.get(2).get("/up/job/2", "localhost")).reason())
                    .isEqualTo("bulkhead-full");

            callers.get(3).sendRequest("GET", "/up/users/1", "localhost");
            Problem displaced = Problem.of(callers.get(1).readResponse("GET"));
            assertThat(displaced.reason()).isEqualTo("bulkhead-full");
            assertThat(displaced.outcome()).isEqualTo("not-sent");
            answers.release(2);
            assertThat(callers.get(3).readResponse("GET").bodyText()).isEqualTo("/users/1");
            assertThat(callers.get(0).readResponse("GET").status()).isEqualTo(200);

            assertThat(shed(proxy, "low", "displaced")).isEqualTo(1);
            assertThat(shed(proxy, "low", "full")).isEqualTo(1);
            assertThat(shed(proxy, "high", "full")).isZero();
            assertThat(
                            proxy.metric(
                                    "resilience_proxy_bulkhead_rejections_total{bulkhead=\"up\",mode=\"enforce\",upstream=\"up\"}"))
                    .isEqualTo(2);
        }
    }

    /** As many background callers as there are permits and more, all the time: users never wait for one of them. */
    @Test
    void backgroundTrafficCannotTakeEveryPermit() {
        CountDownLatch enough = new CountDownLatch(1);
        upstream.script((request, reply) -> {
            if (request.target().startsWith("/job")) {
                reply.await(enough);
            }
            reply.respond(200, "");
        });
        try (TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        PATIENT,
                        "bulkhead: {max-concurrent-calls: 10, max-waiting: 4, max-wait-duration: 10s}",
                        ROUTES);
                Callers job = Callers.of(proxy, 20).send("/up/job");
                RawClient user = proxy.connect()) {
            await().until(() -> proxy.upstream("up").bulkhead().available() == 2
                    && proxy.upstream("up").bulkhead().waiting() == 4);
            for (int i = 0; i < 50; i++) {
                RawResponse response = user.get("/up/users", "localhost");
                assertThat(response.status()).isEqualTo(200);
            }
            assertThat(proxy.upstream("up").bulkhead().waiting()).isEqualTo(4);
            enough.countDown();
            assertThat(job.responses())
                    .extracting(RawResponse::status)
                    .filteredOn(status -> status == 200)
                    .hasSize(12);
            assertThat(shed(proxy, "low", "full")).isEqualTo(8);
        }
    }

    @Test
    void whoCouldOnlyBeServedTooLateIsRefusedAtOnce() {
        upstream.script((request, reply) -> {
            reply.pause(Duration.ofMillis(request.target().equals("/held") ? 1500 : 60));
            reply.respond(200, "");
        });
        try (TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        PATIENT,
                        "deadline: {buffer: 0ms}",
                        "bulkhead: {max-concurrent-calls: 1, max-waiting: 9, max-wait-duration: 10s}");
                RawClient client = proxy.connect();
                RawClient holder = proxy.connect()) {
            for (int i = 0; i < 25; i++) {
                client.get("/up/", "localhost");
            }
            holder.sendRequest("GET", "/up/held", "localhost");
            await().until(() -> proxy.upstream("up").bulkhead().available() == 0);

            // Half of the calls take 60 ms and more: with 30 ms left there is nothing to wait for.
            Problem late = Problem.of(client.get("/up/", "localhost", "X-Request-Deadline-Ms: 30"));
            assertThat(late.reason()).isEqualTo("deadline-exhausted");
            assertThat(late.outcome()).isEqualTo("not-sent");
            assertThat(late.attempts()).isZero();
            assertThat(shed(proxy, "normal", "late")).isEqualTo(1);

            // With 400 ms there is, until no more than the usual 60 are left.
            assertThat(Problem.of(client.get("/up/", "localhost", "X-Request-Deadline-Ms: 400"))
                            .reason())
                    .isEqualTo("deadline-exhausted");
            assertThat(shed(proxy, "normal", "late")).isEqualTo(2);
            assertThat(holder.readResponse("GET").status()).isEqualTo(200);

            // A permit that is free is given whatever is left: the estimate may be wrong.
            client.get("/up/", "localhost", "X-Request-Deadline-Ms: 30");
            assertThat(shed(proxy, "normal", "late")).isEqualTo(2);
        }
    }
}
