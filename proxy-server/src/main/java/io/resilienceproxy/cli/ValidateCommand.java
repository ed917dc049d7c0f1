package io.resilienceproxy.cli;

import io.resilienceproxy.config.JsonReport;
import io.resilienceproxy.config.LoadResult;
import io.resilienceproxy.config.PolicyLoader;
import io.resilienceproxy.policy.Problem.Severity;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Reads a policy file and prints everything that is wrong with it. Exit code 0 where the proxy would take the file, also
 * with warnings unless they are to fail; 1 where not; 2 where the command line is wrong.
 */
@Command(
        name = "validate",
        description = "Prints everything that is wrong with a policy file.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class)
final class ValidateCommand implements Callable<Integer> {

    /** How findings are printed. */
    enum Format {
        text,
        json
    }

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--format",
            defaultValue = "text",
            paramLabel = "FORMAT",
            description = "text, a finding a line, or json (default: ${DEFAULT-VALUE}).")
    private Format format;

    @Option(names = "--strict", description = "Warnings fail too: for pipelines.")
    private boolean strict;

    @Option(
            names = "--without-files",
            description = "Take certificate and key files for good ones: for pipelines, which have no secrets.")
    private boolean withoutFiles;

    @Parameters(paramLabel = "FILE", description = "The policy file. $${NAME} in it is taken from the environment.")
    private Path file;

    @Override
    public Integer call() {
        PolicyLoader loader = new PolicyLoader(System::getenv);
        LoadResult result = (withoutFiles ? loader.withoutFiles() : loader).load(file);
        boolean passed = result.policy() != null && !(strict && result.count(Severity.WARNING) > 0);
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.json) {
            out.println(JsonReport.of(file.toString(), result, passed));
        } else {
            result.problems().forEach(out::println);
            result.rules().forEach(rule -> out.println("  " + rule));
            out.println(file + ": " + sum(result, passed));
        }
        return passed ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static String sum(LoadResult result, boolean passed) {
        String verdict = result.policy() == null ? "not valid" : passed ? "valid" : "valid, but warnings fail";
        return verdict + ", " + count(result, Severity.ERROR, "error") + ", "
                + count(result, Severity.WARNING, "warning");
    }

    private static String count(LoadResult result, Severity severity, String word) {
        long count = result.count(severity);
        return count + " " + word + (count == 1 ? "" : "s");
    }
}
