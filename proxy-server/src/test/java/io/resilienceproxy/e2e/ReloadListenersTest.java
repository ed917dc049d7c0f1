package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.resilienceproxy.testkit.FreePort;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReloadListenersTest {

    private final ScriptedUpstream one = ScriptedUpstream.start(Scripts.status(200, "one"));
    private final ScriptedUpstream two = ScriptedUpstream.start(Scripts.status(200, "two"));
    private final int portA = FreePort.find();
    private final int portB = FreePort.find();

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    @Test
    void portsOfTwoUpstreamsChangePlacesWithoutBeingRebound() {
        try (TestProxy proxy = TestProxy.start(ports(portA, portB));
                RawClient a = RawClient.connect(portA);
                RawClient b = RawClient.connect(portB)) {
            assertThat(a.get("/x", "localhost").bodyText()).isEqualTo("one");
            proxy.reload(ports(portB, portA));

            assertThat(a.get("/x", "localhost").bodyText()).isEqualTo("two");
            assertThat(b.get("/x", "localhost").bodyText()).isEqualTo("one");
        }
    }

    @Test
    void aNewPortServesAndARemovedOneEndsGracefully() {
        try (TestProxy proxy = TestProxy.start(ports(portA, 0));
                RawClient idle = RawClient.connect(portA);
                RawClient late = RawClient.connect(portA)) {
            assertThat(idle.get("/x", "localhost").field("Connection")).isNull();
            assertThat(late.get("/x", "localhost").status()).isEqualTo(200);
            proxy.reload(ports(0, portB));

            RawResponse last = late.get("/y", "localhost");
            assertThat(last.bodyText()).as("answered as before").isEqualTo("one");
            assertThat(last.field("Connection")).isEqualTo("close");
            assertThat(late.isClosedByPeer(Duration.ofSeconds(5))).isTrue();
            assertThat(idle.isClosedByPeer(Duration.ofSeconds(5))).isTrue();
            assertThatThrownBy(() -> RawClient.connect(portA)).hasRootCauseInstanceOf(ConnectException.class);
            try (RawClient b = RawClient.connect(portB)) {
                assertThat(b.get("/x", "localhost").bodyText()).isEqualTo("two");
            }
        }
    }

    @Test
    void aRequestInFlightOnARemovedPortIsAnsweredAndEndsItsConnection() {
        CountDownLatch answer = new CountDownLatch(1);
        one.script((request, reply) -> reply.await(answer).respond(200, "late"));
        try (TestProxy proxy = TestProxy.start(ports(portA, 0));
                RawClient client = RawClient.connect(portA)) {
            client.sendRequest("GET", "/x", "localhost");
            one.awaitRequest();
            proxy.reload(ports(0, 0));
            answer.countDown();

            RawResponse response = client.readFinalResponse("GET");
            assertThat(response.bodyText()).isEqualTo("late");
            assertThat(response.field("Connection")).isEqualTo("close");
            assertThat(client.isClosedByPeer(Duration.ofSeconds(5))).isTrue();
        }
    }

    @Test
    void aBusyPortKeepsEverythingAsItWasUntilItIsFree() throws IOException {
        try (TestProxy proxy = TestProxy.start(ports(portA, 0));
                RawClient client = RawClient.connect(portA)) {
            String next = ports(0, portB).replace("one:", "renamed:");
            try (ServerSocket holder = new ServerSocket(portB, 1, InetAddress.getByName("127.0.0.1"))) {
                assertThatExceptionOfType(UncheckedIOException.class)
                        .isThrownBy(() -> proxy.reload(next))
                        .withMessageContaining("cannot listen on 127.0.0.1:" + holder.getLocalPort());
                assertThat(client.get("/x", "localhost").bodyText()).isEqualTo("one");
                assertThat(proxy.connect().get("/renamed/x", "localhost").status())
                        .isEqualTo(404);
                assertThat(proxy.connect().get("/one/x", "localhost").status()).isEqualTo(200);
            }
            proxy.reload(next);
            assertThat(RawClient.connect(portB).get("/x", "localhost").bodyText())
                    .isEqualTo("two");
            assertThat(proxy.connect().get("/renamed/x", "localhost").bodyText())
                    .isEqualTo("one");
        }
    }

    @Test
    void ofSeveralNewPortsNoneStaysBoundWhenOneIsBusy() throws IOException {
        try (TestProxy proxy = TestProxy.start(ports(0, 0));
                ServerSocket holder = new ServerSocket(portB, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(() -> proxy.reload(ports(portA, holder.getLocalPort())));
            new ServerSocket(portA, 1, InetAddress.getByName("127.0.0.1")).close();
        }
    }

    @Test
    void theSharedListenerMovesAndAnUpstreamTakesItsPlace() {
        try (TestProxy proxy = TestProxy.start("listen: {port: " + portA + "}\n" + ports(0, 0));
                RawClient kept = RawClient.connect(portA)) {
            assertThat(kept.get("/one/x", "localhost").bodyText()).isEqualTo("one");
            proxy.reload("listen: {port: " + portB + "}\n" + ports(portA, 0));

            assertThat(proxy.port()).isEqualTo(portB);
            assertThat(proxy.connect().get("/two/x", "localhost").bodyText()).isEqualTo("two");
            assertThat(kept.get("/x", "localhost").bodyText())
                    .as("the port is an upstream's now, and was not rebound")
                    .isEqualTo("one");
            assertThat(one.requests()).last().extracting("target").isEqualTo("/x");
        }
    }

    @Test
    void unchangedListenersAndTheirConnectionsStay() {
        try (TestProxy proxy = TestProxy.start(ports(portA, 0));
                RawClient shared = proxy.connect();
                RawClient own = RawClient.connect(portA)) {
            shared.get("/one/x", "localhost");
            own.get("/x", "localhost");
            proxy.reload("limits: {max-connections: 10}\n" + ports(portA, portB));

            assertThat(shared.get("/one/x", "localhost").field("Connection")).isNull();
            assertThat(own.get("/x", "localhost").field("Connection")).isNull();
        }
    }

    @Test
    void newLimitsHoldForNewConnections() {
        try (TestProxy proxy = TestProxy.start(ports(0, 0));
                RawClient first = proxy.connect()) {
            first.get("/one/x", "localhost");
            proxy.reload("limits: {max-connections: 1}\n" + ports(0, 0));

            try (RawClient second = proxy.connect()) {
                assertThat(second.get("/one/x", "localhost").status()).isEqualTo(503);
            }
            assertThat(first.get("/one/x", "localhost").status()).isEqualTo(200);
        }
    }

    private String ports(int ofOne, int ofTwo) {
        return "upstreams:\n" + upstream("one", one, ofOne) + upstream("two", two, ofTwo);
    }

    private static String upstream(String name, ScriptedUpstream upstream, int port) {
        return "  " + name + ":\n    url: " + upstream.url() + "\n"
                + (port == 0 ? "" : "    listen-port: " + port + "\n");
    }
}
