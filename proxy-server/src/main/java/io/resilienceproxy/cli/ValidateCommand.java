package io.resilienceproxy.cli;

import io.resilienceproxy.config.LoadResult;
import io.resilienceproxy.config.PolicyLoader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads a policy file and prints every problem of it; exit code 1 when it would not load. */
@Command(name = "validate", description = "Check a policy file.", mixinStandardHelpOptions = true)
final class ValidateCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The policy file (YAML).")
    private Path file = Path.of("");

    @Override
    public Integer call() {
        LoadResult result = new PolicyLoader(System::getenv).load(file);
        PrintWriter out = spec.commandLine().getOut();
        result.problems().forEach(out::println);
        if (result.policy() == null) {
            return 1;
        }
        out.println(file + ": valid, " + result.policy().upstreams().size() + " upstream(s)");
        return 0;
    }
}
