package io.resilienceproxy.cli;

import io.resilienceproxy.exchange.TrafficListener;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.pool.PoolListener;
import io.resilienceproxy.tls.CertificateListener;
import java.util.function.BiFunction;

/**
 * Who is told what happens in the data path.
 *
 * @param traffic what exchanges report
 * @param pools finds who listens to the pool of a url of an upstream
 * @param certificates what becomes of certificate files that change
 */
record Listeners(
        TrafficListener traffic,
        BiFunction<UpstreamPolicy, UpstreamUrl, PoolListener> pools,
        CertificateListener certificates) {

    /** Only to what exchanges report. */
    static Listeners of(TrafficListener traffic) {
        return new Listeners(traffic, (upstream, url) -> PoolListener.NONE, CertificateListener.NOBODY);
    }
}
