package io.resilienceproxy.dns;

import static io.resilienceproxy.dns.AddressOrderTest.addresses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.resilienceproxy.files.FileWatcher;
import io.resilienceproxy.loop.Transport;
import io.resilienceproxy.testkit.DnsServer;
import io.resilienceproxy.time.Clock;
import io.resilienceproxy.time.ManualClock;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against a name server on a real socket; the time to live passes as the test moves it. */
class NameServiceTest {

    private static final List<InetAddress> NOTHING = List.of();

    private final ManualClock clock = new ManualClock();
    private final DnsServer server = DnsServer.start();
    private final EventLoopGroup group = Transport.best().newGroup(1, "test");
    private final EventLoop loop = (EventLoop) group.iterator().next();
    private final BlockingQueue<List<InetAddress>> told = new LinkedBlockingQueue<>();
    private final HostName.Listener listener = new HostName.Listener() {
        @Override
        public void onAnswer(List<InetAddress> addresses) {
            told.add(addresses);
        }

        @Override
        public void onNoAnswer() {
            told.add(NOTHING);
        }
    };

    private final ScheduledExecutorService unused = Executors.newSingleThreadScheduledExecutor();

    @TempDir
    private Path directory;

    @AfterEach
    void close() throws InterruptedException {
        unused.shutdownNow();
        server.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }

    private HostName open(String host) {
        return server.use(() -> new NameService(Transport.best(), clock)).open(host, loop, listener);
    }

    private List<InetAddress> ask(HostName name) throws InterruptedException {
        name.refreshIfDue(clock.nanoTime());
        List<InetAddress> answer = told.poll(10, TimeUnit.SECONDS);
        await().until(() -> !name.isLookingUp());
        return answer;
    }

    @Test
    void findsTheAddressesOfBothFamilies() throws InterruptedException {
        server.answer("pay.test", 60, "192.0.2.1", "::1", "192.0.2.2");
        try (HostName name = open("pay.test")) {
            assertThat(ask(name)).isEqualTo(addresses("::1", "192.0.2.1", "192.0.2.2"));
        }
    }

    @Test
    void takesTheTtlFromTheAnswer() throws InterruptedException {
        server.answer("pay.test", 20, "192.0.2.1");
        try (HostName name = open("pay.test")) {
            ask(name);
            int asked = server.queries().size();
            clock.advance(Duration.ofSeconds(19));
            name.refreshIfDue(clock.nanoTime());
            assertThat(name.isLookingUp()).isFalse();

            clock.advance(Duration.ofSeconds(1));
            server.answer("pay.test", 20, "192.0.2.2");

            assertThat(ask(name)).isEqualTo(addresses("192.0.2.2"));
            assertThat(server.queries()).hasSizeGreaterThan(asked);
        }
    }

    @Test
    void theTtlOfAnAliasCountsToo() throws InterruptedException {
        server.alias("pay.test", 5, "east.pay.test", 300, "192.0.2.1");
        try (HostName name = open("pay.test")) {
            assertThat(ask(name)).isEqualTo(addresses("192.0.2.1"));
            server.alias("pay.test", 5, "west.pay.test", 300, "192.0.2.2");
            clock.advance(Duration.ofSeconds(5));

            assertThat(ask(name)).isEqualTo(addresses("192.0.2.2"));
        }
    }

    @Test
    void asksAgainWhenAQuestionIsLost() throws InterruptedException {
        server.answer("pay.test", 60, "192.0.2.1").drop(2);
        try (HostName name = open("pay.test")) {
            assertThat(ask(name)).isEqualTo(addresses("192.0.2.1"));
        }
    }

    @Test
    void tellsWhenThereIsNoAnswerOfAnyUse() throws InterruptedException {
        try (HostName name = open("pay.test")) {
            assertThat(ask(name)).as("no such name").isEqualTo(NOTHING);
            server.fail();
            clock.advance(HostName.LONGEST_PAUSE);
            assertThat(ask(name)).as("SERVFAIL").isEqualTo(NOTHING);
            server.fallSilent();
            clock.advance(HostName.LONGEST_PAUSE);
            assertThat(ask(name)).as("silence").isEqualTo(NOTHING);
            server.answer("pay.test", 1);
            clock.advance(HostName.LONGEST_PAUSE);
            assertThat(ask(name)).as("no addresses").isEqualTo(NOTHING);
        }
    }

    @Test
    void needsNoServerForAddressesAndForWhatTheHostsFileHas() {
        NameService names = new NameService(Transport.best(), Clock.SYSTEM);

        assertThat(names.fixed("192.0.2.7")).isEqualTo(addresses("192.0.2.7"));
        assertThat(names.fixed("2001:db8::7")).isEqualTo(addresses("2001:db8::7"));
        assertThat(names.fixed("localhost")).isNotEmpty().allMatch(InetAddress::isLoopbackAddress);
        assertThat(names.fixed("pay.test")).isEmpty();
        assertThat(server.queries()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'127.0.0.1:53, dns.test:53', dns.test:53",
        "127.0.0.1, 127.0.0.1",
        "127.0.0.1:0, 127.0.0.1:0",
        "127.0.0.1:65536, 127.0.0.1:65536",
        "127.0.0.1:x, 127.0.0.1:x",
        "'', an empty entry"
    })
    void refusesServersThatAreNoAddresses(String property, String shown) {
        System.setProperty(NameService.SERVERS, property);
        try {
            assertThatThrownBy(() -> new NameService(Transport.best(), clock))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("system property resilience-proxy.dns.servers: " + shown
                            + " (expected: IP address and port, as in 10.0.0.2:53, several separated by commas)");
        } finally {
            System.clearProperty(NameService.SERVERS);
        }
    }

    /** As the kubelet does it for hostAliases, in place. */
    @Test
    void aNameThatIsNewInTheHostsFileHasItsAddressesFromThere() throws IOException, InterruptedException {
        server.answer("pay.test", 300, "192.0.2.1");
        Path file = Files.writeString(directory.resolve("hosts"), "127.0.0.1 localhost\n");
        NameService names = server.use(() -> new NameService(Transport.best(), clock, file));
        FileWatcher<HostsFile> watcher = names.watcher(unused);
        try (HostName name = names.open("pay.test", loop, listener)) {
            assertThat(ask(name)).isEqualTo(addresses("192.0.2.1"));

            Files.writeString(file, "127.0.0.1 localhost\n192.0.2.7 Pay.test\n192.0.2.8 pay.test\n");
            settle(watcher);

            assertThat(told.poll(10, TimeUnit.SECONDS)).isEqualTo(addresses("192.0.2.7", "192.0.2.8"));
            assertThat(names.fixed("pay.test")).isEqualTo(addresses("192.0.2.7", "192.0.2.8"));
            assertThat(names.isListed("pay.test")).isTrue();
            Files.delete(file);
            settle(watcher);
            assertThat(names.isListed("pay.test")).as("unreadable").isTrue();
        }
    }

    @Test
    void aNameThatIsGoneFromTheHostsFileIsAskedFor() throws IOException, InterruptedException {
        server.answer("pay.test", 300, "192.0.2.1");
        Path file = Files.writeString(directory.resolve("hosts"), "192.0.2.7 pay.test\n");
        NameService names = server.use(() -> new NameService(Transport.best(), clock, file));
        FileWatcher<HostsFile> watcher = names.watcher(unused);
        try (HostName name = names.open("pay.test", loop, listener)) {
            assertThat(ask(name)).isEqualTo(addresses("192.0.2.7"));
            assertThat(server.queries()).isEmpty();

            Files.writeString(file, "127.0.0.1 localhost\n");
            settle(watcher);

            assertThat(told.poll(10, TimeUnit.SECONDS)).isEqualTo(addresses("192.0.2.1"));
        }
    }

    private static void settle(FileWatcher<HostsFile> watcher) {
        for (int i = 0; i <= FileWatcher.SETTLED_LOOKS; i++) {
            watcher.look();
        }
    }

    /** What is known of a family is forgotten where it has none, and kept where nobody knows. */
    @Test
    void aServerThatFailsIsToldFromANameThatHasNoAddress() throws InterruptedException {
        assertThat(kindOf("absent.test")).isEqualTo(Found.Kind.NONE);
        server.answer("pay.test", 60, "::1");
        assertThat(kindOf("pay.test")).isEqualTo(Found.Kind.NONE);
        server.fail();
        assertThat(kindOf("pay.test")).isEqualTo(Found.Kind.FAILED);
        server.fallSilent();
        assertThat(kindOf("pay.test")).isEqualTo(Found.Kind.FAILED);
    }

    /** As the url of an upstream may have it; a look-up that never ended would be the last one. */
    @Test
    void aNameThatCannotBeAskedForIsAFailure() throws InterruptedException {
        for (String host : List.of("a".repeat(64) + ".test", "a..test", "x.".repeat(130) + "test")) {
            assertThat(kindOf(host)).as(host).isIn(Found.Kind.FAILED, Found.Kind.NONE);
        }
    }

    private Found.Kind kindOf(String host) throws InterruptedException {
        BlockingQueue<Found> found = new LinkedBlockingQueue<>();
        NettyLookup lookup = NettyLookup.ipv4(host, loop, Transport.best(), List.of(server.address()));
        loop.execute(() -> lookup.start(found::add));
        Found told = found.poll(10, TimeUnit.SECONDS);
        lookup.close();
        return told.kind();
    }
}
