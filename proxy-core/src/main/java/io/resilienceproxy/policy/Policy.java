package io.resilienceproxy.policy;

import java.util.List;

/**
 * One whole policy file, validated. Immutable; safe to share between threads.
 *
 * @param listen the shared data listener
 * @param threads event loops that carry traffic, 1 to 64
 * @param admin the admin listener
 * @param limits what is asked of every inbound connection
 * @param shutdown how the process ends
 * @param logging what is logged
 * @param upstreams the upstream systems, in the order of the file; names are unique
 */
public record Policy(
        ListenAddress listen,
        int threads,
        Admin admin,
        Limits limits,
        Shutdown shutdown,
        Logging logging,
        List<UpstreamPolicy> upstreams) {

    public Policy {
        upstreams = List.copyOf(upstreams);
    }
}
