package io.resilienceproxy.cli;

import io.resilienceproxy.eventlog.LogProvider;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * The program. Exit codes: 0, it did what it was asked; 1, it could not, or the policy has problems; 2, the command line
 * is wrong.
 */
@Command(
        name = "resilience-proxy",
        description = "A reverse proxy beside the application that guards it from its upstreams.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        subcommands = {
            RunCommand.class,
            ValidateCommand.class,
            ExplainCommand.class,
            DemoCommand.class,
            PingCommand.class
        })
public final class Main implements Runnable {

    private static final int FAILED = 1;

    @Spec
    private CommandSpec spec;

    private Main() {}

    public static void main(String[] args) {
        quiet("io.netty.jfr.enabled");
        LogProvider.begin();
        if (args.length > 0 && args[0].equals(RunCommand.NAME)) {
            // Not for the others: a health check that runs every few seconds needs no meters.
            Preload.begin();
        }
        System.exit(execute(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args));
    }

    /** Off unless asked for: with the first buffer Netty would load the flight recorder, some hundred classes. */
    private static void quiet(String property) {
        System.setProperty(property, System.getProperty(property, "false"));
    }

    /** Runs a command to its end and returns the exit code. */
    static int execute(PrintWriter out, PrintWriter err, String... args) {
        RunCommand run = PlainRun.read(args);
        return run == null ? commandLine().setOut(out).setErr(err).execute(args) : run(run, err);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main()).setExecutionExceptionHandler(Main::report);
    }

    /** Without a command there is nothing to do. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing");
    }

    /** As picocli would, without picocli: whatever it does not know how to handle is printed and ends with 1. */
    private static int run(RunCommand command, PrintWriter err) {
        try {
            return command.call();
        } catch (StartupFailure e) {
            return say(e, err);
        } catch (Exception e) {
            e.printStackTrace(err);
            return FAILED;
        }
    }

    private static int report(Exception failure, CommandLine command, ParseResult parsed) throws Exception {
        if (failure instanceof StartupFailure startup) {
            return say(startup, command.getErr());
        }
        throw failure;
    }

    private static int say(StartupFailure failure, PrintWriter err) {
        err.println("resilience-proxy: " + failure.getMessage());
        return FAILED;
    }
}
