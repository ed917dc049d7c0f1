package io.resilienceproxy.testkit;

import java.util.Objects;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives test methods a {@link Toxiproxy} as a parameter. One server serves the whole run; the links of a test are
 * deleted behind it. Where no server can be had the test is skipped with a line that says how to get one; in CI it fails.
 */
public final class ToxiproxyExtension implements BeforeEachCallback, ParameterResolver, AfterEachCallback {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(ToxiproxyExtension.class);

    /** Not left to the parameter's resolution, where JUnit would take a skip for an error. */
    @Override
    public void beforeEach(ExtensionContext context) {
        ToxiproxyServer server = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(ToxiproxyServer.class, key -> ToxiproxyServer.find(), ToxiproxyServer.class);
        context.getStore(NAMESPACE).put(Toxiproxy.class, new Toxiproxy(server.client()));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Toxiproxy.class;
    }

    @Override
    public Toxiproxy resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Objects.requireNonNull(context.getStore(NAMESPACE).get(Toxiproxy.class, Toxiproxy.class));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Toxiproxy toxiproxy = context.getStore(NAMESPACE).get(Toxiproxy.class, Toxiproxy.class);
        if (toxiproxy != null) {
            toxiproxy.deleteLinks();
        }
    }
}
