package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that are wrong together: each is an error at the more specific of them. */
class RulesTest {

    @Test
    void connectIsBelowReadIsBelowCall() {
        assertThat(Loading.problems(Loading.upstream("timeouts: {connect: 3s, read: 3s, call: 20s}")))
                .containsExactly("4:16: upstreams.sber.timeouts.connect: 3s"
                        + " (expected: below timeouts.read, which is 3s at line 4) [TO-X2]");
        assertThat(Loading.problems(Loading.upstream("timeouts: {read: 9s}", "retry: {max-attempts: 1}")))
                .containsExactly("4:16: upstreams.sber.timeouts.read: 9s"
                        + " (expected: below timeouts.call, which is 8s by default) [TO-X2]");
        assertThat(Loading.problems(Loading.upstream("timeouts: {call: 1s}", "retry: {max-attempts: 1}")))
                .containsExactly("4:16: upstreams.sber.timeouts.call: 1s"
                        + " (expected: above timeouts.read, which is 2s by default) [TO-X2]");
    }

    @Test
    void theMoreSpecificSideOfABrokenOrderIsReported() {
        assertThat(Loading.problems("defaults: {timeouts: {read: 5s, call: 30s}}\n"
                        + Loading.upstream("timeouts: {connect: 6s}", "retry: {max-attempts: 1}")))
                .containsExactly("5:16: upstreams.sber.timeouts.connect: 6s"
                        + " (expected: below timeouts.read, which is 5s at line 1) [TO-X2]");
    }

    @Test
    void aRouteIsCheckedWithWhatItInherits() {
        assertThat(Loading.problems(Loading.upstream(
                        "routes: [{name: a, path: /a, timeouts: {call: 1s}, retry: {max-attempts: 1}}]")))
                .containsExactly("4:45: upstreams.sber.routes[0].timeouts.call: 1s"
                        + " (expected: above timeouts.read, which is 2s by default) [TO-X2]");
    }

    @Test
    void aBrokenOrderInDefaultsIsReportedOnce() {
        assertThat(Loading.problems("defaults: {timeouts: {read: 9s}, retry: {max-attempts: 1}}\n"
                        + "upstreams: {a: {url: http://a}, b: {url: http://b, routes: [{name: r, path: /r}]}}"))
                .hasSize(1);
    }

    @Test
    void anInvalidTimeoutIsNotComparedWithOthers() {
        assertThat(Loading.problems(Loading.upstream("timeouts: {connect: 1h, read: 500ms, call: 5}")))
                .hasSize(2);
    }

    @Test
    void theMinimumFitsACountedWindow() {
        assertThat(Loading.problems(Loading.upstream("circuit-breaker: {sliding-window-size: 5}")))
                .containsExactly("4:23: upstreams.sber.circuit-breaker.sliding-window-size: 5"
                        + " (expected: at least minimum-number-of-calls, which is 10 by default) [CB-2]");
        assertThat(Loading.problems(Loading.upstream("circuit-breaker: {minimum-number-of-calls: 51}")))
                .containsExactly("4:23: upstreams.sber.circuit-breaker.minimum-number-of-calls: 51"
                        + " (expected: at most sliding-window-size, which is 50 by default) [CB-2]");
        assertThat(Loading.problems(
                        Loading.upstream("circuit-breaker: {sliding-window-type: TIME_BASED, sliding-window-size: 5}")))
                .isEmpty();
    }

    /** One second is no window to a breaker, nor is one call: a policy that is valid must also start. */
    @Test
    void aWindowHasTwoPlacesAtLeast() {
        assertThat(Loading.problems(
                        Loading.upstream("circuit-breaker: {sliding-window-type: TIME_BASED, sliding-window-size: 1}")))
                .containsExactly("4:56: upstreams.sber.circuit-breaker.sliding-window-size: 1"
                        + " (expected: a whole number from 2 to 10000)");
    }

    @Test
    void theCeilingOfThePausesIsNotBelowTheFirst() {
        assertThat(Loading.problems(
                        Loading.upstream("retry: {max-attempts: 2, wait-duration: 2s, max-wait-duration: 1s}")))
                .containsExactly("4:30: upstreams.sber.retry.wait-duration: 2s"
                        + " (expected: at most max-wait-duration, which is 1s at line 4)");
    }

    @Test
    void pausesOfMoreThanThirtySecondsAreRefused() {
        assertThat(Loading.problems(Loading.upstream(
                        "timeouts: {call: 2m}", "retry: {wait-duration: 11s, max-wait-duration: 20s}")))
                .containsExactly("5:13: upstreams.sber.retry.wait-duration: pauses of up to 11s + 20s = 31s"
                        + " (expected: at most 30s; more is work for a task queue) [RE-4]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"429", "408", "425", "5xx", "503", "599", "connect-failure", "reset", "timeout"})
    void retriesOnWhatMayGetBetter(String item) {
        assertThat(Loading.problems(Loading.upstream("retry: {retry-on: [" + item + "]}")))
                .isEmpty();
    }

    @Test
    void portsAreClaimedOnce() {
        assertThat(Loading.problems("""
                        admin: {port: 8502}
                        upstreams:
                          a: {url: http://a, listen-port: 8480}
                          b: {url: http://b, listen-port: 8501}
                          c: {url: http://c, listen-port: 8501}
                          d: {url: http://d, listen-port: 8502}
                        """))
                .containsExactly(
                        "1:9: admin.port: 8502 (expected: another port; upstreams.d.listen-port has it at line 6)",
                        "3:22: upstreams.a.listen-port: 8480 (expected: another port; listen.port has it by default)",
                        "5:22: upstreams.c.listen-port: 8501"
                                + " (expected: another port; upstreams.b.listen-port has it at line 4)");
        assertThat(Loading.problems("listen: {port: 9480}\nupstreams: {a: {url: http://a}}"))
                .containsExactly("1:10: listen.port: 9480 (expected: another port; admin.port has it by default)");
    }

    @Test
    void adminMayHaveTheSamePortOnAnotherHostButNotOnAllHosts() {
        String text =
                "listen: {host: \"%s\", port: 1}\nadmin: {host: \"%s\", port: 1}\nupstreams: {a: {url: http://a}}";

        assertThat(Loading.problems(text.formatted("127.0.0.1", "10.0.0.1"))).isEmpty();
        assertThat(Loading.problems(text.formatted("127.0.0.1", "0.0.0.0"))).hasSize(1);
        assertThat(Loading.problems(text.formatted("localhost", "127.0.0.1"))).hasSize(1);
        assertThat(Loading.problems(text.replace("port: 1", "port: 0").formatted("::1", "::1")))
                .isEmpty();
    }

    @Test
    void hostsAreClaimedOnce() {
        assertThat(Loading.problems("""
                        upstreams:
                          a: {url: http://a, hosts: [x, "y:8080"]}
                          b: {url: http://b, hosts: ["X:80", y]}
                        """))
                .containsExactly(
                        "3:30: upstreams.b.hosts[0]: x (expected: a host once; upstreams.a.hosts[0] has it at line 2)");
    }

    @Test
    void routeNamesAreUniqueWithinTheirUpstream() {
        assertThat(Loading.problems(Loading.upstream(
                        "routes: [{name: a, path: /a}, {name: a, path: /b}, {name: c}, {methods: [GET]}]")))
                .containsExactly(
                        "4:36: upstreams.sber.routes[1].name: a (expected: another name; line 4 has it)",
                        "4:56: upstreams.sber.routes[2].path: missing (expected: a path, or methods, or both)",
                        "4:67: upstreams.sber.routes[3].name: missing (expected: a name for metrics, such as reports)");
    }

    @Test
    void thereIsAtLeastOneUpstreamWithAUrl() {
        assertThat(Loading.problems("threads: 1\n"))
                .containsExactly("1:1: upstreams: missing (expected: at least one upstream)");
        assertThat(Loading.problems("upstreams: {}"))
                .containsExactly("1:1: upstreams: an empty map (expected: at least one upstream)");
        assertThat(Loading.problems("upstreams:\n  sber: {}"))
                .containsExactly("2:3: upstreams.sber.url: missing (expected: a url such as http://localhost:9000)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tracing: {}", "priority: low"})
    void aFeatureThatIsNotBuiltYetIsAnUnknownKey(String line) {
        assertThat(Loading.problems(Loading.upstream(line)))
                .singleElement()
                .asString()
                .contains("unknown key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"max_connections", "maxConnections", "max-conections", "MAX-CONNECTIONS", "max-connection"})
    void anUnknownKeyNamesTheOneThatWasMeant(String key) {
        assertThat(Loading.problems(Loading.upstream("pool: {" + key + ": 5}")))
                .containsExactly("4:12: upstreams.sber.pool." + key + ": unknown key \"" + key
                        + "\" (did you mean \"max-connections\"?)");
    }
}
