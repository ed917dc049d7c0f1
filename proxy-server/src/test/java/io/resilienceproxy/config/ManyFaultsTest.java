package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** One run names every fault, each at its key. */
class ManyFaultsTest {

    private static final String TEXT = """
            listen: {host: "a b", port: 65536}
            threads: 010
            admin: {port: 8_000}
            limits:
              max-connections: 0
              max-header-size: 16384
              header-timeout: 10
              idle-timeout: PT5M
            shutdown: {quiet-period: -1s, timeout: 25h}
            logging: {level: info, access: none}
            defaults:
              url: http://x
              timeouts: [1s]
            upstreams:
              sber:
                url: ftp://sber
                listen-port: 0
                hosts: http://sber
                timeuts: {read: 1s}
                timeouts: {connect: 11s, read: 61s, call: 10}
                deadline: {header: "X Y", buffer: 1.5s}
                pool: {max-connections: 3.9, idle-timeout: 0s, max-lifetime: ten}
                bulkhead: {max-concurrent-calls: -1, max-wait-duration: 5S, max-waiting: .nan}
                circuit-breaker:
                  sliding-window-type: count_based
                  sliding-window-size: "1_000"
                  minimum-number-of-calls: 1
                  failure-rate-threshold: 101
                  slow-call-duration-threshold: 5 s
                  slow-call-rate-threshold: 0
                  wait-duration-in-open-state: 12:30
                  permitted-number-of-calls-in-half-open-state: yes
                  failure-statuses: [600, 6xx, 5xx]
                retry:
                  max-attempts: 6
                  wait-duration: 99999999999h
                  exponential-backoff-multiplier: 1
                  max-wait-duration: 999999h
                  retry-on: [404, 4xx, 200, sometimes]
                  methods: [get, POST]
                  idempotency-header: Content-Length
                  max-replay-body: 1GiB
                  budget: {ratio: 1.5, max-tokens: 0}
                routes:
                  - {name: default, path: reports, methods: [GET], stream: on}
                  - {path: /a/, methods: [], priority: lowest}
              "-x": {}
            """;

    /** Each up to what is expected instead, and the rule. */
    private static final String EXPECTED = """
            1:10: listen.host: "a b"
            1:23: listen.port: 65536
            2:1: threads: 010
            3:9: admin.port: 8_000
            5:3: limits.max-connections: 0
            6:3: limits.max-header-size: 16384
            7:3: limits.header-timeout: 10
            8:3: limits.idle-timeout: PT5M
            9:12: shutdown.quiet-period: -1s
            9:31: shutdown.timeout: 25h
            10:11: logging.level: info
            10:24: logging.access: none
            12:3: defaults.url: unknown key "url"
            13:3: defaults.timeouts: a list
            16:5: upstreams.sber.url: ftp://sber
            17:5: upstreams.sber.listen-port: 0
            18:5: upstreams.sber.hosts: http://sber
            19:5: upstreams.sber.timeuts: unknown key "timeuts"
            20:16: upstreams.sber.timeouts.connect: 11s [TO-1]
            20:30: upstreams.sber.timeouts.read: 61s [TO-X3]
            20:41: upstreams.sber.timeouts.call: 10
            21:16: upstreams.sber.deadline.header: "X Y"
            21:31: upstreams.sber.deadline.buffer: 1.5s
            22:12: upstreams.sber.pool.max-connections: 3.9
            22:34: upstreams.sber.pool.idle-timeout: 0s
            22:52: upstreams.sber.pool.max-lifetime: ten
            23:16: upstreams.sber.bulkhead.max-concurrent-calls: -1
            23:42: upstreams.sber.bulkhead.max-wait-duration: 5S
            23:65: upstreams.sber.bulkhead.max-waiting: .nan
            25:7: upstreams.sber.circuit-breaker.sliding-window-type: count_based
            26:7: upstreams.sber.circuit-breaker.sliding-window-size: 1_000
            27:7: upstreams.sber.circuit-breaker.minimum-number-of-calls: 1 [CB-2]
            28:7: upstreams.sber.circuit-breaker.failure-rate-threshold: 101
            29:7: upstreams.sber.circuit-breaker.slow-call-duration-threshold: "5 s"
            30:7: upstreams.sber.circuit-breaker.slow-call-rate-threshold: 0
            31:7: upstreams.sber.circuit-breaker.wait-duration-in-open-state: 12:30
            32:7: upstreams.sber.circuit-breaker.permitted-number-of-calls-in-half-open-state: yes
            33:26: upstreams.sber.circuit-breaker.failure-statuses[0]: 600
            33:31: upstreams.sber.circuit-breaker.failure-statuses[1]: 6xx
            35:7: upstreams.sber.retry.max-attempts: 6 [RE-3]
            36:7: upstreams.sber.retry.wait-duration: 99999999999h
            37:7: upstreams.sber.retry.exponential-backoff-multiplier: 1 [RE-X3]
            38:7: upstreams.sber.retry.max-wait-duration: 999999h
            39:18: upstreams.sber.retry.retry-on[0]: 404 [RE-X2]
            39:23: upstreams.sber.retry.retry-on[1]: 4xx [RE-X2]
            39:28: upstreams.sber.retry.retry-on[2]: 200
            39:33: upstreams.sber.retry.retry-on[3]: sometimes
            40:17: upstreams.sber.retry.methods[0]: get
            40:22: upstreams.sber.retry.methods[1]: POST [RE-X1]
            41:7: upstreams.sber.retry.idempotency-header: Content-Length
            42:7: upstreams.sber.retry.max-replay-body: 1GiB
            43:16: upstreams.sber.retry.budget.ratio: 1.5
            43:28: upstreams.sber.retry.budget.max-tokens: 0
            45:10: upstreams.sber.routes[0].name: default
            45:25: upstreams.sber.routes[0].path: reports
            45:56: upstreams.sber.routes[0].stream: on
            46:9: upstreams.sber.routes[1].name: missing
            46:10: upstreams.sber.routes[1].path: /a/
            46:21: upstreams.sber.routes[1].methods: an empty list
            46:34: upstreams.sber.routes[1].priority: lowest
            47:3: upstreams.-x: -x
            47:3: upstreams.-x.url: missing
            """;

    @Test
    void reportsEachFaultOnceAtItsPlace() {
        assertThat(Loading.problems(TEXT))
                .extracting(line -> line.replaceFirst(" \\((expected|known here|did you mean).*\\)", ""))
                .containsExactlyElementsOf(EXPECTED.lines().toList());
    }

    @Test
    void saysWhatIsExpectedInstead() {
        assertThat(Loading.problems(TEXT))
                .contains(
                        "6:3: limits.max-header-size: 16384 (expected: a size with a unit, such as 512B, 64KiB, 16MiB)",
                        "7:3: limits.header-timeout: 10 (expected: a duration with a unit, such as 500ms, 2s, 5m)",
                        "10:24: logging.access: none (expected: one of off, errors, all)",
                        "17:5: upstreams.sber.listen-port: 0 (expected: a whole number from 1 to 65535)",
                        "19:5: upstreams.sber.timeuts: unknown key \"timeuts\" (did you mean \"timeouts\"?)",
                        "20:30: upstreams.sber.timeouts.read: 61s (expected: 1ms to 60s) [TO-X3]");
    }
}
