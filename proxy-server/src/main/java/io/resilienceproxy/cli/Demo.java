package io.resilienceproxy.cli;

import io.resilienceproxy.config.LoadResult;
import io.resilienceproxy.config.PolicyLoader;
import io.resilienceproxy.policy.Policy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A proxy under the demo's policy and the upstream that it guards, in one process.
 *
 * <p>Started and closed by its owner, on any thread but the event loops.
 */
final class Demo implements AutoCloseable {

    private static final String POLICY = "demo.yaml";

    private final DemoUpstream upstream;
    private final Policy policy;
    private final Proxy proxy;

    private Demo(DemoUpstream upstream, Policy policy, Proxy proxy) {
        this.upstream = upstream;
        this.policy = policy;
        this.proxy = proxy;
    }

    /**
     * @param port of the proxy, 0 for any free one
     * @param adminPort likewise
     * @throws StartupFailure where a port is taken; nothing is left running
     */
    static Demo start(int port, int adminPort) {
        DemoUpstream upstream = new DemoUpstream();
        try {
            LoadResult result = load(port, adminPort, upstream.start());
            Policy policy = RunCommand.usable(result);
            Proxy proxy = RunCommand.start(policy, "demo", List.of());
            PolicyReloads.explain(proxy, result);
            return new Demo(upstream, policy, proxy);
        } catch (StartupFailure e) {
            upstream.close();
            throw e;
        }
    }

    private static LoadResult load(int port, int adminPort, int upstreamPort) {
        Map<String, Object> environment =
                Map.of("DEMO_PORT", port, "DEMO_ADMIN_PORT", adminPort, "DEMO_UPSTREAM_PORT", upstreamPort);
        return new PolicyLoader(name -> Objects.toString(environment.get(name), null))
                .parse("the demo's policy", read());
    }

    private static byte[] read() {
        try (InputStream in = Demo.class.getResourceAsStream(POLICY)) {
            return Objects.requireNonNull(in, POLICY).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Proxy proxy() {
        return proxy;
    }

    DemoUpstream upstream() {
        return upstream;
    }

    Policy policy() {
        return policy;
    }

    /** What to try, for people. */
    String text() {
        StringBuilder text = new StringBuilder("Five lines to try in another terminal. Ctrl-C ends the demo.\n\n");
        for (DemoLine line : DemoLine.values()) {
            text.append(line.text(proxy.server().port())).append('\n');
        }
        return text + "Everything is counted: curl -s http://localhost:" + proxy.adminPort() + "/metrics\n";
    }

    @Override
    public void close() {
        proxy.close();
        upstream.close();
    }
}
