package io.resilienceproxy.cli;

import io.resilienceproxy.config.LoadResult;
import io.resilienceproxy.config.PolicyLoader;
import io.resilienceproxy.config.PolicySource;
import io.resilienceproxy.config.PolicyWatcher;
import io.resilienceproxy.eventlog.LogSetup;
import io.resilienceproxy.policy.ListenAddress;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.Problem;
import io.resilienceproxy.policy.Shutdown;
import io.resilienceproxy.time.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Serves until the process is told to stop (SIGTERM or SIGINT); then drains and ends with 0. */
@Command(name = RunCommand.NAME, description = "Serve under a policy file.", mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {

    static final String NAME = "run";

    static final String CONFIG = "--config";
    static final String CONFIG_SHORT = "-c";
    static final String NO_WARM_UP = "--no-warm-up";
    static final String EXIT_AFTER_WARM_UP = "--exit-after-warm-up";

    private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);

    @Option(
            names = {CONFIG_SHORT, CONFIG},
            required = true,
            paramLabel = "FILE",
            description = "The policy file (YAML).")
    private Path config = Path.of("");

    @Option(
            names = NO_WARM_UP,
            description =
                    "Do not play each kind of answer over loopback at start; the first real ones take longer then.")
    private boolean cold;

    @Option(
            names = EXIT_AFTER_WARM_UP,
            hidden = true,
            description = "For making class-data archives: ends as SIGTERM would when all that a start needs was used.")
    private boolean training;

    /** For picocli, which sets the options. */
    RunCommand() {}

    RunCommand(Path config, boolean cold, boolean training) {
        this.config = config;
        this.cold = cold;
        this.training = training;
    }

    Path config() {
        return config;
    }

    boolean isCold() {
        return cold;
    }

    boolean isTraining() {
        return training;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        StopRequests stops = StopRequests.ofSignals();
        try {
            return serve(stops);
        } catch (StartupFailure e) {
            stops.forgetSignals();
            throw e;
        }
    }

    private int serve(StopRequests stops) throws InterruptedException, IOException {
        PolicyLoader loader = new PolicyLoader(System::getenv);
        PolicySource source = PolicySource.read(config);
        LoadResult result = loader.load(source);
        Policy policy = usable(result);
        LogSetup.apply(policy.logging());
        if (stops.isStopping()) {
            LOG.info("stopped before it served");
            LogSetup.stop();
            return 0;
        }
        Proxy proxy = start(policy, source.hash(), result.problems());
        proxy.quitBy(stops::add);
        PolicyReloads.explain(proxy, result);
        ScheduledExecutorService watching = watch(source, new PolicyReloads(loader, proxy));
        proxy.server().names().followHosts(watching);
        if (training) {
            WarmUp.run(Clock.SYSTEM);
            visitAdmin(proxy.adminPort());
            stops.add();
        } else if (!cold) {
            WarmUp.begin(Clock.SYSTEM);
        }
        return serveUntilStopped(proxy, stops, watching::shutdownNow);
    }

    private static void visitAdmin(int port) throws IOException {
        // What counts collections is loaded with the first one.
        System.gc();
        for (String page : List.of("/readyz", "/livez", "/metrics", "/policy", "/config")) {
            LoopbackClient.ask(
                    port, "GET " + page + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 5_000);
        }
    }

    static ScheduledExecutorService watch(PolicySource inUse, PolicyReloads reloads) {
        ScheduledExecutorService watching = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "policy-watcher");
            thread.setDaemon(true);
            return thread;
        });
        PolicyWatcher watcher = new PolicyWatcher(inUse, watching, reloads);
        watcher.start();
        Signals.on("HUP", watcher::readNow);
        return watching;
    }

    /**
     * Blocks until the process is asked to stop, then drains and closes the proxy.
     *
     * @param beforeStop run first of all then: nothing may change the proxy any more
     * @return the exit code, 0 however the end was
     */
    static int serveUntilStopped(Proxy proxy, StopRequests stops, Runnable beforeStop) throws InterruptedException {
        stops.await();
        beforeStop.run();
        Shutdown shutdown = proxy.policy().shutdown();
        LOG.info("draining quiet_period={} timeout={}", shutdown.quietPeriod(), shutdown.timeout());
        boolean quiet = proxy.drain(shutdown, stops::haste);
        proxy.close();
        LOG.info("stopped quiet={}", quiet);
        LogSetup.stop();
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

    /** @param hash of the policy's file */
    static Proxy start(Policy policy, String hash, List<Problem> warnings) {
        try {
            Proxy proxy = Proxy.start(policy, hash, warnings, Clock.SYSTEM);
            LOG.info(
                    "serving listen={} admin={} policy={} upstreams={}",
                    new ListenAddress(policy.listen().host(), proxy.server().port()),
                    new ListenAddress(policy.admin().address().host(), proxy.adminPort()),
                    hash,
                    PolicyReloads.names(policy));
            return proxy;
        } catch (IOException e) {
            throw new StartupFailure(Listening.plain(String.valueOf(e.getMessage())), e);
        }
    }
}
