package io.resilienceproxy.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals of the system. The Java platform has no supported way to be told of one; the one that every JVM has is reached by
 * its name, because the compiler warns of it in a way that cannot be acknowledged. It is in the module jdk.unsupported.
 */
final class Signals {

    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    private Signals() {}

    /**
     * Runs this with every such signal, on a thread of the JVM's, instead of what the JVM would do. A signal that the
     * process was told to ignore, as nohup does with SIGHUP, stays ignored.
     *
     * @param name without SIG, such as {@code TERM}
     * @return puts back what was there before; where this JVM cannot tell of the signal, which is logged, it does nothing
     */
    static Runnable on(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Method handle = signal.getMethod("handle", signal, handler);
            Object number = signal.getConstructor(String.class).newInstance(name);
            Object before = handle.invoke(null, number, handler(handler, name, action));
            return () -> putBack(handle, number, before);
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn("SIG{} is not listened to: {}", name, reason(e));
            return () -> {};
        }
    }

    private static void putBack(Method handle, Object number, Object before) {
        try {
            handle.invoke(null, number, before);
        } catch (ReflectiveOperationException e) {
            LOG.warn("{} is still listened to: {}", number, reason(e));
        }
    }

    private static String reason(Exception e) {
        return String.valueOf(e instanceof InvocationTargetException ? e.getCause() : e);
    }

    private static Object handler(Class<?> type, String name, Runnable action) {
        InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
            case "handle" -> {
                action.run();
                yield null;
            }
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "on SIG" + name;
        };
        return java.lang.reflect.Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    }
}
