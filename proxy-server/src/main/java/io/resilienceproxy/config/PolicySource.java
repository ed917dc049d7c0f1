package io.resilienceproxy.config;

import io.resilienceproxy.files.Snapshot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a policy file held when it was read, or why it could not be. Immutable.
 */
public final class PolicySource implements Snapshot<PolicySource> {

    /** Enough to tell a handful of policies apart, short enough for a log line. */
    private static final int HASH_BYTES = 6;

    private final Path file;
    private final Path realFile;
    private final byte[] content;
    private final @Nullable String unreadable;

    /** Made with the first question: of the four that are read each second, hardly one is ever asked. */
    private volatile @Nullable String hash;

    private PolicySource(Path file, Path realFile, byte[] content, @Nullable String unreadable) {
        this.file = file;
        this.realFile = realFile;
        this.content = content;
        this.unreadable = unreadable;
    }

    /** Reads the file, blocking; one byte more than a policy may have at the most. */
    public static PolicySource read(Path file) {
        Path real = file;
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(SourceText.MAX_BYTES + 1);
            real = file.toRealPath();
            return new PolicySource(file, real, content, null);
        } catch (IOException e) {
            return new PolicySource(file, real, new byte[0], reason(e));
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

    private static String hash(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The beginning of the content's SHA-256 in hexadecimal, as {@code sha256sum} prints it; {@code none} without content. */
    public String hash() {
        String present = hash;
        if (present == null) {
            present = unreadable == null ? hash(content) : "none";
            hash = present;
        }
        return present;
    }

    public Path file() {
        return file;
    }

    byte[] content() {
        return content;
    }

    /** Null: it was read. */
    @Nullable
    String unreadable() {
        return unreadable;
    }

    @Override
    public boolean isSameAs(PolicySource other) {
        return Arrays.equals(content, other.content) && Objects.equals(unreadable, other.unreadable);
    }

    @Override
    public boolean isSwappedFor(PolicySource other) {
        return unreadable == null && other.unreadable == null && !realFile.equals(other.realFile);
    }
}
