package io.resilienceproxy.cli;

import java.lang.reflect.InvocationHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGHUP. The Java platform has no supported way to be told of a signal; the one that every JVM has is reached by its name,
 * because the compiler warns of it in a way that cannot be acknowledged.
 */
final class Hangup {

    private static final Logger LOG = LoggerFactory.getLogger(Hangup.class);

    private Hangup() {}

    /**
     * Runs this with every SIGHUP, on a thread of the JVM's, instead of ending the process.
     *
     * @return false where this JVM cannot tell, which is logged
     */
    static boolean onSignal(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), handler(handler, action));
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.info("SIGHUP is not listened to: {}", e.toString());
            return false;
        }
    }

    private static Object handler(Class<?> type, Runnable action) {
        InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
            case "handle" -> {
                action.run();
                yield null;
            }
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "on SIGHUP";
        };
        return java.lang.reflect.Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    }
}
