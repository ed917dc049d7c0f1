package io.resilienceproxy.config;

import io.resilienceproxy.policy.Policy;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Turns a policy file into a policy, or into everything that is wrong with it: all faults at once, never an exception,
 * whatever the file. Bounded in time and memory; the package describes the format. Immutable and thread-safe.
 */
public final class PolicyLoader {

    private final UnaryOperator<@Nullable String> environment;
    private final boolean readsFiles;

    /** @param environment the value of a variable, or null if it is not set: {@code System::getenv} */
    public PolicyLoader(UnaryOperator<@Nullable String> environment) {
        this(environment, true);
    }

    private PolicyLoader(UnaryOperator<@Nullable String> environment, boolean readsFiles) {
        this.environment = environment;
        this.readsFiles = readsFiles;
    }

    /** One that takes the files that a policy names for good ones: a pipeline has no secrets. */
    public PolicyLoader withoutFiles() {
        return new PolicyLoader(environment, false);
    }

    /** Reads the file, blocking; one that cannot be read is a problem like any other. */
    public LoadResult load(Path file) {
        return load(PolicySource.read(file));
    }

    public LoadResult load(PolicySource source) {
        String fileName = source.file().toString();
        if (source.unreadable() == null) {
            return parse(fileName, source.content());
        }
        Problems problems = new Problems(fileName);
        problems.error(Place.START, "cannot be read: " + source.unreadable());
        return LoadResult.refused(problems.list());
    }

    /** @param fileName what problems call the file */
    public LoadResult parse(String fileName, byte[] content) {
        Problems problems = new Problems(fileName);
        return parse(SourceText.of(content, problems), problems);
    }

    /** @param fileName what problems call the file */
    public LoadResult parse(String fileName, String content) {
        Problems problems = new Problems(fileName);
        return parse(SourceText.of(content, problems), problems);
    }

    private LoadResult parse(@Nullable String text, Problems problems) {
        if (text == null) {
            return LoadResult.refused(problems.list());
        }
        Substitution substitution = new Substitution(environment, problems);
        Value root = new DocumentReader(text, substitution, problems).read();
        if (root == null) {
            return LoadResult.refused(problems.list());
        }
        Ledger ledger = new Ledger();
        Policy policy = new PolicyReader(root, problems, ledger, readsFiles).read();
        if (problems.hasErrors()) {
            return LoadResult.refused(problems.list());
        }
        return new LoadResult(policy, problems.list(), new Explanation(problems.file(), policy, ledger));
    }
}
