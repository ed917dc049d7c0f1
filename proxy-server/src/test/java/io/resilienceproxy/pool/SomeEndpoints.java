package io.resilienceproxy.pool;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Endpoints for tests that connect to none. */
public final class SomeEndpoints {

    private SomeEndpoints() {}

    /** @param address an IP address */
    public static Endpoint at(String address) {
        try {
            return new Endpoint(new InetSocketAddress(InetAddress.getByName(address), 80));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(address, e);
        }
    }
}
