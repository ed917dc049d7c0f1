package io.resilienceproxy.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FixturesTest {

    @Test
    void nginxAnswersAndCountsItsConnections(@TempDir Path directory) {
        try (Nginx nginx = Nginx.start(directory);
                RawClient client = RawClient.connect(nginx.port())) {
            assertThat(client.get("/", "h").bodyText()).isEqualTo(Nginx.BODY);
            assertThat(client.get("/64k", "h").body()).hasSize(65536);
            assertThat(client.get("/503", "h").status()).isEqualTo(503);
            int before = nginx.acceptedConnections();
            assertThat(nginx.acceptedConnections()).isEqualTo(before + 1);
        }
    }

    @Test
    void aFastUpstreamAnswersAndCounts() {
        try (FastUpstream upstream = FastUpstream.start();
                RawClient client = RawClient.connect(upstream.port())) {
            client.sendRequest("GET", "/", "h").sendRequest("GET", "/", "h");

            assertThat(client.readResponse("GET").body()).hasSize(133);
            assertThat(client.readResponse("GET").body()).hasSize(133);
            assertThat(upstream.requests()).isEqualTo(2);
            assertThat(upstream.connections()).isOne();
        }
    }

    @Test
    void anUnansweredPortNeitherTakesNorRefuses() throws IOException {
        try (UnansweredPort unanswered = UnansweredPort.open();
                Socket socket = new Socket()) {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), unanswered.port());

            assertThatThrownBy(() -> socket.connect(address, 300)).isInstanceOf(SocketTimeoutException.class);
        }
    }
}
