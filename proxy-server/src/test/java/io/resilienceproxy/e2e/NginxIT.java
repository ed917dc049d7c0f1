package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.testkit.LoadClient;
import io.resilienceproxy.testkit.Nginx;
import io.resilienceproxy.testkit.TestProxy;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A real nginx under load: nothing is lost, nothing leaks, and it never sees more connections than it may. */
class NginxIT {

    private static final int CALLERS = 64;
    private static final int MAX_CONNECTIONS = 80;

    @ParameterizedTest
    @CsvSource({"1, 100000", "2, 20000"})
    void manyRequestsOverSixtyFourConnections(int threads, int requests, @TempDir Path directory) {
        try (Nginx nginx = Nginx.start(directory);
                TestProxy proxy = TestProxy.start("threads: " + threads + "\nupstreams:\n  up: {url: '" + nginx.url()
                        + "', pool: {max-connections: " + MAX_CONNECTIONS + "}, retry: {max-attempts: 1}}\n")) {
            int before = nginx.acceptedConnections();
            LoadClient load =
                    LoadClient.run(proxy.port(), CALLERS, requests, "/up/", Nginx.BODY, Duration.ofMinutes(5));

            assertThat(load.faults()).isEmpty();
            assertThat(load.good()).isEqualTo(requests);
            assertThat(nginx.acceptedConnections() - before).isLessThanOrEqualTo(MAX_CONNECTIONS);
            assertThat(proxy.metric("resilience_proxy_request_duration_seconds_count{outcome=\"response\","
                            + "route=\"default\",status=\"2xx\",upstream=\"up\"}"))
                    .isEqualTo(requests);
            proxy.awaitNothingHeld();
            assertThat(proxy.metric("resilience_proxy_bulkhead_available{bulkhead=\"up\",upstream=\"up\"}"))
                    .isEqualTo(proxy.metric("resilience_proxy_bulkhead_limit{bulkhead=\"up\",upstream=\"up\"}"));
            assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.CLOSED);
        }
    }
}
