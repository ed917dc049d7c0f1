package io.resilienceproxy.cli;

import io.resilienceproxy.eventlog.LogSetup;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Starts a proxy with an upstream that misbehaves on demand, and prints what to try; serves until it is told to stop. */
@Command(
        name = "demo",
        description = "Starts a proxy with an upstream that misbehaves on demand, and prints what to try.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class)
final class DemoCommand implements Callable<Integer> {

    private static final int HIGHEST_PORT = 65_535;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8480",
            description = "Where the proxy listens (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--admin-port",
            paramLabel = "PORT",
            defaultValue = "9480",
            description = "Where metrics and probes are (default: ${DEFAULT-VALUE}).")
    private int adminPort;

    @Override
    public Integer call() throws InterruptedException {
        check("--port", port);
        check("--admin-port", adminPort);
        StopRequests stops = StopRequests.ofSignals();
        Demo demo = start(stops);
        LogSetup.apply(demo.policy().logging());
        CommandLine commandLine = spec.commandLine();
        commandLine.getOut().println(demo.text());
        return RunCommand.serveUntilStopped(demo.proxy(), stops, () -> {});
    }

    private void check(String option, int value) {
        if (value < 0 || value > HIGHEST_PORT) {
            throw new ParameterException(
                    spec.commandLine(), option + ": " + value + " (expected: a port from 0 to " + HIGHEST_PORT + ")");
        }
    }

    private Demo start(StopRequests stops) {
        try {
            return Demo.start(port, adminPort);
        } catch (StartupFailure e) {
            stops.forgetSignals();
            throw new StartupFailure(e.getMessage() + " (--port and --admin-port choose other ports)", e);
        }
    }
}
