package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.testkit.UpstreamRequest;
import org.junit.jupiter.api.Test;

class ForwardingTest {

    @Test
    void forwardsByFirstSegmentAndRelaysTheAnswer() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(200, "hello"));
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            RawResponse response = client.get("/up/a//b?q=%zz", "localhost");

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.bodyText()).isEqualTo("hello");
            UpstreamRequest request = upstream.awaitRequest();
            assertThat(request.target()).isEqualTo("/a//b?q=%zz");
            assertThat(request.field("Host")).isEqualTo("127.0.0.1:" + upstream.port());
            assertThat(request.field("Via")).isEqualTo("1.1 resilience-proxy");
        }
    }

    @Test
    void keepsConnectionsOfBothSidesForTheNextRequest() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.get("/up/" + i, "localhost").status()).isEqualTo(200);
            }

            assertThat(upstream.connections()).hasSize(1);
        }
    }
}
