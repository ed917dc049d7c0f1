package io.resilienceproxy.e2e;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.TestProxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/**
 * One proxy between raw sockets. A test starts both sides with the script and the settings that it is about; afterwards the
 * callers leave first, so that the proxy's check for what is still held means something.
 */
abstract class WireTest {

    /** Tries no request twice, and its breaker stays out of the way. */
    static final String[] ONE_ATTEMPT = {
        "retry: {max-attempts: 1}", "circuit-breaker: {minimum-number-of-calls: 1000, sliding-window-size: 1000}"
    };

    private final List<RawClient> clients = new ArrayList<>();
    ScriptedUpstream upstream;
    TestProxy proxy;

    /** The script is called behind the whole request. */
    void start(ScriptedUpstream.Script script, String... settings) {
        upstream = ScriptedUpstream.start(script);
        proxy = TestProxy.of(upstream.port(), settings.length == 0 ? ONE_ATTEMPT : settings);
    }

    /** The script is called behind the head. */
    void startAtHead(ScriptedUpstream.Script script, String... settings) {
        upstream = ScriptedUpstream.startAtHead(script);
        proxy = TestProxy.of(upstream.port(), settings.length == 0 ? ONE_ATTEMPT : settings);
    }

    /** @param limits in flow style, such as {@code header-timeout: 300ms} */
    void startLimited(ScriptedUpstream.Script script, String limits) {
        upstream = ScriptedUpstream.start(script);
        proxy = TestProxy.start("limits: {" + limits + "}\nupstreams:\n  up:\n    url: " + upstream.url() + "\n");
    }

    /** A caller that is closed behind the test. */
    RawClient connect() {
        RawClient client = proxy.connect();
        clients.add(client);
        return client;
    }

    /** All that the upstream has received on all its connections. */
    String receivedUpstream() {
        StringBuilder all = new StringBuilder();
        upstream.connections().forEach(connection -> all.append(connection.received()));
        return all.toString();
    }

    @AfterEach
    void close() {
        clients.forEach(RawClient::close);
        try {
            proxy.close();
        } finally {
            upstream.close();
        }
    }
}
