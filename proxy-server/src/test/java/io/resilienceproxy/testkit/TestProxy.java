package io.resilienceproxy.testkit;

import io.resilienceproxy.cli.Proxy;
import io.resilienceproxy.config.LoadResult;
import io.resilienceproxy.config.PolicyLoader;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.routing.Route;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.routing.Upstream;
import io.resilienceproxy.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * A whole proxy on free loopback ports, under a policy given as YAML: {@code admin} is added, and {@code listen} where there is none. Closing it
 * checks that every permit and connection has come back.
 */
public final class TestProxy implements AutoCloseable {

    private static final Duration SETTLE = Duration.ofSeconds(5);

    /** One for all: each has a thread and a selector of its own. */
    private static final HttpClient ADMIN =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static final Duration FIRST_LOOKS = Duration.ofMillis(5);

    private final Proxy proxy;
    private boolean checkConservation = true;

    private TestProxy(Proxy proxy) {
        this.proxy = proxy;
    }

    /** @param yaml everything but {@code admin}; without {@code listen}, which then comes first, any free port */
    public static TestProxy start(String yaml) {
        try {
            return new TestProxy(Proxy.start(policy(yaml), Clock.SYSTEM));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Policy policy(String yaml) {
        String whole = yaml.startsWith("listen:") ? yaml : "listen: {port: 0}\n" + yaml;
        LoadResult result = new PolicyLoader(name -> null).parse("test.yaml", whole + "\nadmin: {port: 0}\n");
        if (result.policy() == null) {
            throw new IllegalArgumentException("policy: " + result.problems());
        }
        return result.policy();
    }

    /**
     * Goes over to another policy.
     *
     * @throws UncheckedIOException where a port cannot be bound
     */
    public TestProxy reload(String yaml) {
        try {
            proxy.reload(policy(yaml));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One upstream named {@code up}, with further settings of it in flow style, such as {@code retry: {max-attempts: 1}}. */
    public static TestProxy of(int upstreamPort, String... settings) {
        StringBuilder yaml = new StringBuilder("upstreams:\n  up:\n    url: http://127.0.0.1:" + upstreamPort + "\n");
        for (String setting : settings) {
            yaml.append("    ").append(setting).append('\n');
        }
        return start(yaml.toString());
    }

    /** For tests that end with something still held on purpose. */
    public TestProxy withoutConservationCheck() {
        checkConservation = false;
        return this;
    }

    public int port() {
        return proxy.server().port();
    }

    public int adminPort() {
        return proxy.adminPort();
    }

    public Proxy proxy() {
        return proxy;
    }

    public RawClient connect() {
        return RawClient.connect(port());
    }

    public Upstream upstream(String name) {
        return table().upstreams().stream()
                .filter(upstream -> upstream.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    public RouteTable table() {
        return proxy.table();
    }

    /** The value of one series of /metrics, named as Prometheus prints it with all its tags; 0 where it is absent. */
    public double metric(String series) {
        Matcher line =
                Pattern.compile("(?m)^" + Pattern.quote(series) + " (\\S+)$").matcher(metrics());
        return line.find() ? Double.parseDouble(line.group(1)) : 0;
    }

    public String metrics() {
        return admin("/metrics");
    }

    public String admin(String path) {
        try {
            URI uri = URI.create("http://127.0.0.1:" + adminPort() + path);
            return ADMIN.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Waits until nothing is in flight and every permit and connection is back, and fails when that does not come. */
    public void awaitNothingHeld() {
        settled("nothing in flight").until(() -> proxy.server().quietNanos() > 0);
        for (Route route : table().routes()) {
            settled("permits of " + route.bulkhead().name())
                    .until(() ->
                            route.bulkhead().available() == route.bulkhead().limit()
                                    && route.bulkhead().waiting() == 0);
        }
        proxy.server()
                .pools()
                .forEach(pool -> settled("connections of " + pool.url())
                        .until(() -> pool.active() == 0 && pool.connecting() == 0 && pool.waiting() == 0));
    }

    /** Mostly it has settled already: each of hundreds of tests would otherwise wait for the first look. */
    private static ConditionFactory settled(String what) {
        return Awaitility.await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(FIRST_LOOKS)
                .atMost(SETTLE);
    }

    @Override
    public void close() {
        try {
            if (checkConservation) {
                awaitNothingHeld();
            }
        } finally {
            proxy.close();
        }
    }
}
