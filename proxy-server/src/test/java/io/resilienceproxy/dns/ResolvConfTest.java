package io.resilienceproxy.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResolvConfTest {

    private static final InetSocketAddress LOCAL = new InetSocketAddress(InetAddress.getLoopbackAddress(), 53);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {"", "search svc.cluster.local\noptions ndots:5\n", "# nameserver 192.0.2.1\n", "nameserver \n"})
    void whereNoServerIsNamedTheOneOnThisMachineIsAsked(String text) throws IOException {
        assertThat(ResolvConf.inPlaceOf(write(text))).containsExactly(LOCAL);
    }

    @Test
    void whereThereIsNoFileTheOneOnThisMachineIsAsked() {
        assertThat(ResolvConf.inPlaceOf(directory.resolve("absent"))).containsExactly(LOCAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nameserver 192.0.2.1\n", "search a\n  nameserver\t::1\n"})
    void serversThatAreNamedAreAsked(String text) throws IOException {
        assertThat(ResolvConf.inPlaceOf(write(text))).isNull();
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("resolv.conf"), text);
    }
}
