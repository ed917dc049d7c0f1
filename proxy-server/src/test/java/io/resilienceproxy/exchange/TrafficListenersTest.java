package io.resilienceproxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.routing.Route;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrafficListenersTest {

    private final List<String> calls = new ArrayList<>();
    private final TrafficListener both = TrafficListeners.both(
            recording(TrafficListener.class, "first"), recording(TrafficListener.class, "second"));

    @Test
    void reportsTrafficToBothInOrder() throws ReflectiveOperationException {
        assertThat(callAll(TrafficListener.class, both)).isEqualTo(calls);
    }

    @Test
    void reportsExchangesToBothInOrder() throws ReflectiveOperationException {
        Route unused = null;
        ExchangeListener exchanges = both.forRoute(unused);
        calls.clear();

        assertThat(callAll(ExchangeListener.class, exchanges)).isEqualTo(calls);
    }

    /** Calls every method of an interface, so that one that is added later is not forgotten. */
    private static List<String> callAll(Class<?> type, Object target) throws ReflectiveOperationException {
        List<String> expected = new ArrayList<>();
        for (Method report : type.getMethods()) {
            Object[] arguments = Arrays.stream(report.getParameterTypes())
                    .map(TrafficListenersTest::zero)
                    .toArray();
            report.invoke(target, arguments);
            expected.add("first " + report.getName() + Arrays.toString(arguments));
            expected.add("second " + report.getName() + Arrays.toString(arguments));
        }
        assertThat(expected).isNotEmpty();
        return expected;
    }

    private static Object zero(Class<?> type) {
        if (type == int.class) {
            return 7;
        }
        return type == long.class ? 9L : null;
    }

    private <T> T recording(Class<T> type, String name) {
        InvocationHandler record = (proxy, method, arguments) -> {
            calls.add(name + " " + method.getName() + Arrays.toString(arguments == null ? new Object[0] : arguments));
            return method.getReturnType() == ExchangeListener.class ? recording(ExchangeListener.class, name) : null;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, record));
    }
}
