package io.resilienceproxy.policy;

/**
 * The admin listener.
 *
 * @param address where it binds
 * @param quit whether a POST to {@code /quit} from this machine stops the process as SIGTERM does
 */
public record Admin(ListenAddress address, boolean quit) {

    public static final Admin DEFAULT = new Admin(new ListenAddress("127.0.0.1", 9480), false);
}
