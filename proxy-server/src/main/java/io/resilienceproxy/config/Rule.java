package io.resilienceproxy.config;

/**
 * The resilience rules that a policy file can break. The codes are those that reviewers quote; docs/validate.md lists
 * them, and says where the rules that no file can break are held.
 */
enum Rule {
    ISO_2("ISO-2", "the pool has 1.2 x the connections that its bulkhead admits calls"),
    SUM("sum", "all pools together fit into what the process accepts"),
    TO_1("TO-1", "connect takes at most 10s, and call leaves a second beside connect and read"),
    TO_3("TO-3", "the deadline's buffer leaves time for the call"),
    TO_X2("TO-X2", "connect is below read, and read is below call"),
    TO_X3("TO-X3", "an answer that takes more than 60s belongs to a task queue, not to a synchronous call"),
    PRODUCT("product", "all attempts and their pauses fit into call"),
    CB_2("CB-2", "the breaker decides on two calls at least, and on no more than its window holds"),
    CB_3("CB-3", "the failure rate that opens the breaker is at most 80 percent"),
    CB_5("CB-5", "a call is slow before it times out"),
    RE_1("RE-1", "only reads are repeated without an idempotency key"),
    RE_X1("RE-X1", "a write is never repeated without an idempotency key"),
    RE_X2("RE-X2", "a request that the upstream calls wrong is not repeated"),
    RE_3("RE-3", "a request is tried 5 times at most"),
    RE_X3("RE-X3", "pauses between attempts grow"),
    RE_4("RE-4", "pauses are short in sum: longer ones belong to a task queue"),
    BUDGET("budget", "retries are at most a fifth of the successes"),
    FB_X1("FB-X1", "a fallback answers reads, and never a write"),
    MEMORY("memory", "the last good answers of all upstreams fit into the process"),
    BH_3("BH-3", "the bulkhead refuses before the pool is dry, and nothing waits long for a permit");

    private final String code;
    private final String summary;

    Rule(String code, String summary) {
        this.code = code;
        this.summary = summary;
    }

    String code() {
        return code;
    }

    /** What holds where the rule is kept. */
    String summary() {
        return summary;
    }

    static Rule of(String code) {
        for (Rule rule : values()) {
            if (rule.code.equals(code)) {
                return rule;
            }
        }
        throw new IllegalArgumentException("no such rule: " + code);
    }
}
