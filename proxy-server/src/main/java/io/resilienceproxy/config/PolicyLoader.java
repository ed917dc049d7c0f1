package io.resilienceproxy.config;

import io.resilienceproxy.policy.Policy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Turns a policy file into a policy, or into everything that is wrong with it: all faults at once, never an exception,
 * whatever the file. Bounded in time and memory; the package describes the format. Immutable and thread-safe.
 */
public final class PolicyLoader {

    private final UnaryOperator<@Nullable String> environment;

    /** @param environment the value of a variable, or null if it is not set: {@code System::getenv} */
    public PolicyLoader(UnaryOperator<@Nullable String> environment) {
        this.environment = environment;
    }

    /** Reads the file, blocking; one that cannot be read is a problem like any other. */
    public LoadResult load(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return parse(file.toString(), in.readNBytes(SourceText.MAX_BYTES + 1));
        } catch (IOException e) {
            Problems problems = new Problems(file.toString());
            problems.error(Place.START, "cannot be read: " + reason(e));
            return LoadResult.refused(problems.list());
        }
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        return Found.plain(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
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
        Policy policy = new PolicyReader(root, problems, ledger).read();
        if (problems.hasErrors()) {
            return LoadResult.refused(problems.list());
        }
        return new LoadResult(policy, problems.list(), new Explanation(problems.file(), policy, ledger));
    }
}
