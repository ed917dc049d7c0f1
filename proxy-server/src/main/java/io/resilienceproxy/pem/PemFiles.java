package io.resilienceproxy.pem;

import io.resilienceproxy.files.Snapshot;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * PEM files that are used together, as they were at one look: a certificate and its key are replaced one after the other,
 * and only what was read together may be compared.
 */
public final class PemFiles implements Snapshot<PemFiles> {

    /** @param file null where it could not be read */
    private record Look(@Nullable PemFile file, @Nullable UnusablePem fault) {

        static Look at(Path path) {
            try {
                return new Look(PemFile.read(path), null);
            } catch (UnusablePem e) {
                return new Look(null, e);
            }
        }

        boolean isSameAs(Look other) {
            if (file == null || other.file == null) {
                return Objects.equals(message(), other.message());
            }
            return Arrays.equals(file.content(), other.file.content());
        }

        private @Nullable String message() {
            return fault == null ? null : fault.getMessage();
        }

        boolean isBehindTheSameLinksAs(Look other) {
            return file == null || other.file == null || file.realFile().equals(other.file.realFile());
        }
    }

    private final Map<Path, Look> looks;

    private PemFiles(Map<Path, Look> looks) {
        this.looks = looks;
    }

    /** Reads all of them, blocking. What is wrong is said by who is asked for it. */
    public static PemFiles read(List<Path> paths) {
        Map<Path, Look> looks = new LinkedHashMap<>();
        paths.forEach(path -> looks.put(path, Look.at(path)));
        return new PemFiles(looks);
    }

    /**
     * @param path one of those that were read
     * @throws UnusablePem where it could not be read
     */
    public PemFile file(Path path) throws UnusablePem {
        Look look = looks.get(path);
        if (look == null) {
            throw new IllegalArgumentException(path + " is none of " + looks.keySet());
        }
        if (look.file() == null) {
            throw Objects.requireNonNull(look.fault());
        }
        return look.file();
    }

    @Override
    public boolean isSameAs(PemFiles other) {
        return looks.entrySet().stream()
                .allMatch(look -> look.getValue().isSameAs(Objects.requireNonNull(other.looks.get(look.getKey()))));
    }

    /** One that stands still may lie in another place than those that are renewed. */
    @Override
    public boolean isSwappedFor(PemFiles other) {
        return looks.entrySet().stream().allMatch(look -> {
            Look before = Objects.requireNonNull(other.looks.get(look.getKey()));
            return look.getValue().isSameAs(before) || !look.getValue().isBehindTheSameLinksAs(before);
        });
    }
}
