package io.resilienceproxy.bench;

import io.resilienceproxy.config.LoadResult;
import io.resilienceproxy.config.PolicyLoader;
import io.resilienceproxy.policy.Policy;

/** Policies for benchmarks: the format's defaults but for what is said. */
final class Policies {

    private Policies() {}

    /** Upstreams {@code u0} to {@code u<count - 1>}. @param defaults one YAML line in flow style, without braces */
    static Policy of(int count, String defaults) {
        StringBuilder text = new StringBuilder("defaults: {" + defaults + "}\nupstreams:\n");
        for (int i = 0; i < count; i++) {
            text.append("  u").append(i).append(": {url: 'http://u").append(i).append(".test:9000/base'}\n");
        }
        LoadResult result = new PolicyLoader(name -> null).parse("bench.yaml", text.toString());
        if (result.policy() == null) {
            throw new IllegalStateException(result.problems().toString());
        }
        return result.policy();
    }
}
