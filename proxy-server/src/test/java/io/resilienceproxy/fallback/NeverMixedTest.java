package io.resilienceproxy.fallback;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.time.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tries to be given the answer of another user. An upstream answers each request with all that it depended on; whoever is
 * given such an answer later must have asked with all of that the same. Names come in any case, fields more than once and in
 * any order, values contain what separates others.
 */
class NeverMixedTest {

    private static final String[] NAMES = {"Authorization", "Cookie", "Proxy-Authorization", "X-Tenant", "Accept"};
    private static final String[] VALUES = {
        "a", "b", "", "a,b", "a, b", "a\tb", "b a", "authorization", ":", "A", "\u00e9"
    };
    private static final String[] TARGETS = {"/", "/x", "/x?authorization=a", "/%0A", "/x?"};

    private final Random random = new Random();
    private final AnswerStore store = new AnswerStore(4 << 20, Duration.ofHours(1), new ManualClock(), null);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void nobodyIsGivenWhatDependedOnSomethingElse(long seed) {
        random.setSeed(seed);
        int given = 0;
        // Routes of one upstream share its store, whatever their keys are.
        List<List<String>> policies = List.of(
                List.of(),
                List.of("authorization"),
                List.of("authorization", "cookie"),
                List.of("authorization", "cookie", "proxy-authorization", "x-tenant"),
                List.of("x-tenant"));
        for (int i = 0; i < 20_000; i++) {
            List<String> named = policies.get(random.nextInt(policies.size()));
            AnswerKeys keys = new AnswerKeys(named);
            RequestHead request = request();
            if (random.nextInt(3) == 0) {
                String[] vary = vary();
                String body = dependsOn(request, named, vary);
                Messages.answer(store, keys, request, Messages.response(200, BodyLength.CHUNKED, vary), body);
            } else {
                given += check(keys, request);
            }
        }
        assertThat(given).as("the test must get answers, or it shows nothing").isGreaterThan(100);
    }

    private int check(AnswerKeys keys, RequestHead request) {
        StoredAnswer found = store.find(keys, request, 0, Long.MAX_VALUE);
        if (found == null) {
            return 0;
        }
        String[] lines = Messages.body(found).split("\n", -1);
        assertThat(lines[0]).isEqualTo("GET " + request.target());
        // Credentials are always compared, also those that the answer's own policy did not name: it was given to none
        // then.
        for (String name : List.of("authorization", "cookie", "proxy-authorization")) {
            assertThat(valueOf(lines, name)).as(name).isEqualTo(values(request, name));
        }
        for (String line : lines) {
            int equals = line.indexOf('=');
            if (line.startsWith("*")) {
                String name = line.substring(1, equals);
                assertThat(line.substring(equals + 1)).as(name).isEqualTo(values(request, name));
            }
        }
        return 1;
    }

    private static String valueOf(String[] lines, String name) {
        for (String line : lines) {
            if (line.startsWith("+" + name + "=")) {
                return line.substring(name.length() + 2);
            }
        }
        throw new AssertionError(name);
    }

    /** What the answer was for: lines with {@code +} are credentials, lines with {@code *} what keys and Vary name. */
    private static String dependsOn(RequestHead request, List<String> named, String[] vary) {
        StringBuilder body = new StringBuilder("GET " + request.target());
        for (String name : List.of("authorization", "cookie", "proxy-authorization")) {
            body.append("\n+").append(name).append('=').append(values(request, name));
        }
        List<String> compared = new ArrayList<>(named);
        for (String field : vary) {
            for (String name : field.substring("Vary:".length()).split(",")) {
                compared.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        for (String name : compared) {
            body.append("\n*").append(name).append('=').append(values(request, name));
        }
        return body.toString();
    }

    private static String values(RequestHead request, String name) {
        return request.fields().getAll(name).toString();
    }

    private String[] vary() {
        return switch (random.nextInt(5)) {
            case 0 -> new String[] {"Vary: " + anyCase("accept")};
            case 1 -> new String[] {"Vary: Accept, " + anyCase("x-tenant")};
            case 2 -> new String[] {"Vary: x-tenant", "Vary: Cookie"};
            default -> new String[] {};
        };
    }

    private RequestHead request() {
        HttpHeaders fields = new DefaultHttpHeaders();
        for (int i = random.nextInt(4); i > 0; i--) {
            fields.add(anyCase(NAMES[random.nextInt(NAMES.length)]), VALUES[random.nextInt(VALUES.length)]);
        }
        String target = TARGETS[random.nextInt(TARGETS.length)];
        return new RequestHead("GET", target, null, fields, 1, BodyLength.ABSENT, true, false, false);
    }

    private String anyCase(String name) {
        return switch (random.nextInt(3)) {
            case 0 -> name.toLowerCase(Locale.ROOT);
            case 1 -> name.toUpperCase(Locale.ROOT);
            default -> name;
        };
    }
}
