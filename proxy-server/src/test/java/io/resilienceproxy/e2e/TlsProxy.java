package io.resilienceproxy.e2e;

import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.tls.TlsProvider;
import java.util.stream.Stream;

/** A proxy with one https upstream {@code up}, with a chosen implementation of TLS. */
final class TlsProxy {

    private TlsProxy() {}

    /** A first handshake loads a library and some hundred classes: on a busy machine that takes longer than the default. */
    private static final String PATIENT = "timeouts: {connect: 4s, read: 5s, call: 20s}";

    /** @param settings of the upstream in flow style, such as {@code tls: {ca-file: ...}} */
    static TestProxy of(TlsProvider provider, String url, String... settings) {
        StringBuilder yaml = new StringBuilder("upstreams:\n  up:\n    url: " + url + "\n");
        if (Stream.of(settings).noneMatch(setting -> setting.startsWith("timeouts:"))) {
            yaml.append("    ").append(PATIENT).append('\n');
        }
        for (String setting : settings) {
            yaml.append("    ").append(setting).append('\n');
        }
        System.setProperty(TlsProvider.PROPERTY, provider == TlsProvider.JDK ? "jdk" : "auto");
        try {
            return TestProxy.start(yaml.toString());
        } finally {
            System.clearProperty(TlsProvider.PROPERTY);
        }
    }
}
