package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.peers.Programs;
import io.resilienceproxy.peers.UpstreamPeer;
import io.resilienceproxy.testkit.FreePort;
import io.resilienceproxy.testkit.Nginx;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A body of 1 GiB goes either way through a process whose heap and buffers have 32 MiB each. */
class LargeBodyIT {

    private static final long SIZE = 1L << 30;

    /** Of that many zeros. */
    private static final String SHA_256 = "49bc20df15e412a64472421e13fe86ff1c5165e18b2afccf160d4dc19fe68a14";

    private static final List<String> SMALL =
            List.of("-XX:+UseSerialGC", "-Xmx32m", "-XX:MaxDirectMemorySize=32m", "-XX:ReservedCodeCacheSize=32m");
    private static final long MAX_RESIDENT_KIB = 200 * 1024;

    @TempDir
    private Path directory = Path.of("");

    private Path big = Path.of("");
    private final int port = FreePort.find();

    @BeforeEach
    void makeBigFile() throws IOException {
        big = directory.resolve("big");
        try (RandomAccessFile file = new RandomAccessFile(big.toFile(), "rw")) {
            file.setLength(SIZE);
        }
    }

    @Test
    void downloads() throws Exception {
        Programs.need("curl", "curl");
        try (Nginx nginx = Nginx.start(directory, "location = /big { try_files /big =404; }");
                ProxyProcess proxy = start(nginx.port())) {
            String size = curl("-o", "/dev/null", "-w", "%{http_code} %{size_download}");

            assertThat(size).isEqualTo("200 " + SIZE);
            assertThat(proxy.residentKib()).isLessThan(MAX_RESIDENT_KIB);
        }
    }

    @Test
    void uploads() throws Exception {
        Programs.need("curl", "curl");
        try (UpstreamPeer.Running upstream = UpstreamPeer.NODE_HTTP.start(directory);
                ProxyProcess proxy = start(upstream.port())) {
            String got = curl("-T", big.toString(), "-H", "Expect:");

            assertThat(got).isEqualTo(SIZE + " " + SHA_256);
            assertThat(proxy.residentKib()).isLessThan(MAX_RESIDENT_KIB);
        }
    }

    private ProxyProcess start(int upstreamPort) throws IOException {
        Path policy =
                Files.writeString(directory.resolve("policy.yaml"), """
                listen: {port: %d}
                admin: {port: %d}
                upstreams:
                  up: {url: "http://127.0.0.1:%d", timeouts: {connect: 5s, read: 30s, call: 100s}}
                """.formatted(port, FreePort.find(), upstreamPort));
        ProxyProcess proxy = ProxyProcess.startWith(SMALL, directory, "run", "--config", policy.toString());
        proxy.awaitOutput("serving");
        return proxy;
    }

    private String curl(String... arguments) {
        List<String> command = new ArrayList<>(List.of("curl", "-sS", "http://127.0.0.1:" + port + "/up/big"));
        command.addAll(List.of(arguments));
        return new String(Programs.output(command), StandardCharsets.US_ASCII);
    }
}
