package io.resilienceproxy.pool;

import java.util.ArrayList;
import java.util.List;

/** The endpoints that an exchange has been to: another attempt goes elsewhere while it can. Owned by one exchange. */
public final class Tried {

    private final List<Endpoint> endpoints = new ArrayList<>(2);

    public void add(Endpoint endpoint) {
        endpoints.add(endpoint);
    }

    boolean contains(Endpoint endpoint) {
        return endpoints.contains(endpoint);
    }
}
