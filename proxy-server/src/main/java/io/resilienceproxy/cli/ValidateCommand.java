package io.resilienceproxy.cli;

import io.resilienceproxy.config.LoadResult;
import io.resilienceproxy.config.PolicyLoader;
import io.resilienceproxy.policy.Problem.Severity;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Reads a policy file and prints everything that is wrong with it, one finding a line, and a line with the sum. Exit
 * code 0 where the proxy would take the file, also with warnings; 1 where it would not.
 */
@Command(
        name = "validate",
        description = "Prints everything that is wrong with a policy file.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class)
final class ValidateCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The policy file. $${NAME} in it is taken from the environment.")
    private Path file;

    @Override
    public Integer call() {
        LoadResult result = new PolicyLoader(System::getenv).load(file);
        PrintWriter out = spec.commandLine().getOut();
        result.problems().forEach(out::println);
        out.println(file + ": " + sum(result));
        return result.policy() == null ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    private static String sum(LoadResult result) {
        String verdict = result.policy() == null ? "not valid, " : "valid, ";
        return verdict + count(result, Severity.ERROR, "error") + ", " + count(result, Severity.WARNING, "warning");
    }

    private static String count(LoadResult result, Severity severity, String word) {
        long count = result.problems().stream()
                .filter(problem -> problem.severity() == severity)
                .count();
        return count + " " + word + (count == 1 ? "" : "s");
    }
}
