package io.resilienceproxy.cli;

import io.resilienceproxy.config.Explanation;
import io.resilienceproxy.config.LoadResult;
import io.resilienceproxy.config.PolicyLoader;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Prints the policy that a file means, with where each value comes from. Exit code 1 where the file has errors, or no
 * such upstream or route.
 */
@Command(
        name = "explain",
        description = "Prints the policy that a file means, and where each value comes from.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class)
final class ExplainCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = "The policy file. $${NAME} in it is taken from the environment.")
    private Path file;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "UPSTREAM[.ROUTE]",
            description = "What to print; everything if not given.")
    private @Nullable String selector;

    @Override
    public Integer call() {
        LoadResult result = new PolicyLoader(System::getenv).load(file);
        Explanation explanation = result.explanation();
        if (explanation == null) {
            String problems = result.problems().stream().map(Object::toString).collect(Collectors.joining("\n  "));
            throw new StartupFailure("the policy cannot be used:\n  " + problems);
        }
        try {
            String text = selector == null ? explanation.text() : explanation.text(selector);
            spec.commandLine().getOut().print(text);
            spec.commandLine().getOut().flush();
        } catch (NoSuchElementException e) {
            throw new StartupFailure(file + ": " + e.getMessage());
        }
        return CommandLine.ExitCode.OK;
    }
}
