package io.resilienceproxy.cli;

import io.resilienceproxy.config.Explanation;
import io.resilienceproxy.config.LoadResult;
import io.resilienceproxy.config.PolicyLoader;
import io.resilienceproxy.config.PolicySource;
import io.resilienceproxy.eventlog.LogSetup;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.Problem;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes new contents of the policy file into use, or refuses them whole. On the watcher's thread.
 */
final class PolicyReloads implements Predicate<PolicySource> {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyReloads.class);

    private final PolicyLoader loader;
    private final Proxy proxy;

    PolicyReloads(PolicyLoader loader, Proxy proxy) {
        this.loader = loader;
        this.proxy = proxy;
    }

    /** @return false when the file is good and something else stood in the way, which may be gone later */
    @Override
    public boolean test(PolicySource source) {
        LoadResult result = loader.load(source);
        Policy policy = result.policy();
        if (policy == null) {
            proxy.status().rejected(source.hash(), result.problems());
            return true;
        }
        try {
            proxy.reload(policy);
        } catch (IOException | RuntimeException e) {
            proxy.status()
                    .rejected(
                            source.hash(), List.of(reason(e)), result.problems().size());
            return false;
        }
        LogSetup.apply(policy.logging());
        for (Problem warning : result.problems()) {
            LOG.warn("policy: {}", warning);
        }
        explain(proxy, result);
        proxy.status().accepted(source.hash(), result.problems());
        LOG.info("policy in use hash={} upstreams={}", source.hash(), names(policy));
        return true;
    }

    static void explain(Proxy proxy, LoadResult result) {
        Explanation explanation = result.explanation();
        if (explanation != null) {
            proxy.explainBy(explanation::text);
        }
    }

    private static String reason(Exception e) {
        return e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
    }

    static List<String> names(Policy policy) {
        return policy.upstreams().stream().map(upstream -> upstream.name()).toList();
    }
}
