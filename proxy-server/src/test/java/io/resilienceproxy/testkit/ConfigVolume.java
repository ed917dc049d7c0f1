package io.resilienceproxy.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A directory that is written as the kubelet writes a ConfigMap volume: a new time-stamped directory, then one rename of the
 * link {@code ..data}, then the links of the files, then what is gone is removed. For one thread.
 */
public final class ConfigVolume {

    private static final String DATA = "..data";
    private static final String DATA_TMP = "..data_tmp";

    private final Path directory;
    private final Consumer<String> hook;
    private int version;

    /** @param hook told of each step behind it: {@code payload written}, {@code link made}, {@code swapped} and so on */
    public ConfigVolume(Path directory, Consumer<String> hook) {
        this.directory = directory;
        this.hook = hook;
    }

    public Path file(String name) {
        return directory.resolve(name);
    }

    /** @param payload flat: file names and contents */
    public void write(Map<String, String> payload) {
        try {
            replace(payload);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void replace(Map<String, String> payload) throws IOException {
        Path data = directory.resolve(DATA);
        Path old = Files.isSymbolicLink(data) ? directory.resolve(Files.readSymbolicLink(data)) : null;
        Set<String> gone = old == null ? new TreeSet<>() : names(old);
        gone.removeAll(payload.keySet());
        boolean same = old != null && gone.isEmpty() && holds(old, payload);
        if (!same) {
            swap(data, payload);
        }
        for (String name : payload.keySet()) {
            Path link = directory.resolve(name);
            if (!Files.isSymbolicLink(link)) {
                Files.createSymbolicLink(link, Path.of(DATA, name));
                hook.accept("file linked");
            }
        }
        for (String name : gone) {
            Files.delete(directory.resolve(name));
            hook.accept("file link removed");
        }
        if (old != null && !same) {
            delete(old);
            hook.accept("old version removed");
        }
    }

    private void swap(Path data, Map<String, String> payload) throws IOException {
        String name = String.format("..2026_01_02_03_04_05.%09d", ++version);
        Path fresh = Files.createDirectory(directory.resolve(name));
        hook.accept("directory made");
        for (Map.Entry<String, String> file : payload.entrySet()) {
            Files.writeString(fresh.resolve(file.getKey()), file.getValue(), StandardCharsets.UTF_8);
        }
        hook.accept("payload written");
        Path link = directory.resolve(DATA_TMP);
        // The kubelet removes a stale one first.
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, Path.of(name));
        hook.accept("link made");
        Files.move(link, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        hook.accept("swapped");
    }

    /** What an update that was cut off leaves behind. */
    public void leaveStaleLink() {
        try {
            Files.createSymbolicLink(directory.resolve(DATA_TMP), Path.of("..nowhere"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> names(Path version) throws IOException {
        try (Stream<Path> files = Files.list(version)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static boolean holds(Path version, Map<String, String> payload) throws IOException {
        for (Map.Entry<String, String> file : payload.entrySet()) {
            Path path = version.resolve(file.getKey());
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                    || !Files.readString(path).equals(file.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static void delete(Path version) throws IOException {
        for (String name : names(version)) {
            Files.delete(version.resolve(name));
        }
        Files.delete(version);
    }
}
