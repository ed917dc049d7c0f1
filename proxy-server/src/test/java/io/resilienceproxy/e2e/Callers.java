package io.resilienceproxy.e2e;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.TestProxy;
import java.util.ArrayList;
import java.util.List;

/** Several callers at once, each with a connection of its own. For one thread. */
final class Callers implements AutoCloseable {

    private final List<RawClient> clients = new ArrayList<>();

    /** Connects that many callers. */
    static Callers of(TestProxy proxy, int count) {
        Callers callers = new Callers();
        for (int i = 0; i < count; i++) {
            callers.clients.add(proxy.connect());
        }
        return callers;
    }

    List<RawClient> all() {
        return clients;
    }

    RawClient get(int index) {
        return clients.get(index);
    }

    /** Everyone sends a GET before anyone waits for an answer. */
    Callers send(String target) {
        clients.forEach(client -> client.sendRequest("GET", target, "localhost"));
        return this;
    }

    List<RawResponse> responses() {
        return clients.stream().map(client -> client.readFinalResponse("GET")).toList();
    }

    /** All leave with a reset. */
    void reset() {
        clients.forEach(RawClient::rst);
    }

    @Override
    public void close() {
        clients.forEach(RawClient::close);
    }
}
