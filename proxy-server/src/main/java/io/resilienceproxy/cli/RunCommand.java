package io.resilienceproxy.cli;

import io.resilienceproxy.config.Explanation;
import io.resilienceproxy.config.LoadResult;
import io.resilienceproxy.config.PolicyLoader;
import io.resilienceproxy.eventlog.LogSetup;
import io.resilienceproxy.policy.ListenAddress;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.Shutdown;
import io.resilienceproxy.time.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Serves until the process is told to stop (SIGTERM or SIGINT); then drains and exits with 0. */
@Command(name = "run", description = "Serve under a policy file.", mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);

    /** What the native transport puts in front of the reason. */
    private static final Pattern SYSTEM_CALL = Pattern.compile("\\w+\\(\\.\\.\\) failed with error\\(-?[0-9]+\\): ");

    @Option(
            names = {"-c", "--config"},
            required = true,
            paramLabel = "FILE",
            description = "The policy file (YAML).")
    private Path config = Path.of("");

    @Override
    public Integer call() throws InterruptedException {
        LoadResult result = new PolicyLoader(System::getenv).load(config);
        Policy policy = usable(result);
        LogSetup.apply(policy.logging());
        return serveUntilStopped(start(policy, result.explanation()), policy.shutdown());
    }

    /**
     * Returns never but by the end of the process: SIGTERM or SIGINT drains and closes the proxy and exits with 0. The
     * return value is for commands, which must have one.
     */
    static int serveUntilStopped(Proxy proxy, Shutdown shutdown) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(proxy, shutdown), "shutdown"));
        new CountDownLatch(1).await();
        return 0;
    }

    /** The policy, its warnings logged; a policy with errors is a {@link StartupFailure} that lists all of them. */
    static Policy usable(LoadResult result) {
        if (result.policy() == null) {
            String problems = result.problems().stream().map(Object::toString).collect(Collectors.joining("\n  "));
            throw new StartupFailure("the policy cannot be used:\n  " + problems);
        }
        result.problems().forEach(problem -> LOG.warn("policy: {}", problem));
        return result.policy();
    }

    /** @param explanation what {@code /policy} shows; null: nothing */
    static Proxy start(Policy policy, @Nullable Explanation explanation) {
        Proxy proxy = start(policy);
        if (explanation != null) {
            proxy.explainBy(explanation::text);
        }
        return proxy;
    }

    private static Proxy start(Policy policy) {
        try {
            Proxy proxy = Proxy.start(policy, Clock.SYSTEM);
            LOG.info(
                    "serving listen={} admin={} upstreams={}",
                    new ListenAddress(policy.listen().host(), proxy.server().port()),
                    new ListenAddress(policy.admin().host(), proxy.adminPort()),
                    policy.upstreams().stream().map(upstream -> upstream.name()).toList());
            return proxy;
        } catch (IOException e) {
            throw new StartupFailure(SYSTEM_CALL.matcher(e.getMessage()).replaceFirst(""), e);
        }
    }

    /** The virtual machine would exit with 143: halting is how a shutdown hook says 0. */
    private static void stop(Proxy proxy, Shutdown shutdown) {
        LOG.info("draining quiet_period={} timeout={}", shutdown.quietPeriod(), shutdown.timeout());
        boolean quiet = proxy.drain(shutdown);
        proxy.close();
        LOG.info("stopped quiet={}", quiet);
        LogSetup.stop();
        Runtime.getRuntime().halt(0);
    }
}
