package io.resilienceproxy.dns;

import io.netty.resolver.HostsFileEntriesProvider;
import io.resilienceproxy.files.Snapshot;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a hosts file (hosts(5)) held when it was read, or why it could not be. Immutable. */
final class HostsFile implements Snapshot<HostsFile> {

    static final Path OF_THIS_HOST = Path.of("/etc/hosts");

    private final Path realFile;
    private final byte[] content;
    private final @Nullable String unreadable;

    /** Made with the first question: most that are read are compared and nothing else. */
    private volatile @Nullable HostsFileEntriesProvider entries;

    private HostsFile(Path realFile, byte[] content, @Nullable String unreadable) {
        this.realFile = realFile;
        this.content = content;
        this.unreadable = unreadable;
    }

    /** Blocking. */
    static HostsFile read(Path file) {
        try {
            byte[] content = Files.readAllBytes(file);
            return new HostsFile(file.toRealPath(), content, null);
        } catch (IOException e) {
            return new HostsFile(file, new byte[0], e.getClass().getSimpleName());
        }
    }

    /** Null: it was read. */
    @Nullable
    String unreadable() {
        return unreadable;
    }

    /** In the order of the file, IPv4 first; empty where the host is not in it. */
    List<InetAddress> addresses(String host) {
        HostsFileEntriesProvider present = entries();
        List<InetAddress> addresses = new ArrayList<>(listed(present.ipv4Entries(), host));
        addresses.addAll(listed(present.ipv6Entries(), host));
        return addresses;
    }

    private static List<InetAddress> listed(Map<String, List<InetAddress>> entries, String host) {
        return entries.getOrDefault(host.toLowerCase(Locale.ROOT), List.of());
    }

    private HostsFileEntriesProvider entries() {
        HostsFileEntriesProvider present = entries;
        if (present == null) {
            try {
                present = HostsFileEntriesProvider.parser()
                        .parse(new StringReader(new String(content, StandardCharsets.ISO_8859_1)));
            } catch (IOException e) {
                throw new IllegalStateException("a text in memory cannot be read", e);
            }
            entries = present;
        }
        return present;
    }

    @Override
    public boolean isSameAs(HostsFile other) {
        return Arrays.equals(content, other.content) && Objects.equals(unreadable, other.unreadable);
    }

    @Override
    public boolean isSwappedFor(HostsFile other) {
        return unreadable == null && other.unreadable == null && !realFile.equals(other.realFile);
    }
}
