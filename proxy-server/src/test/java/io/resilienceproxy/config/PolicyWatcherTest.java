package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.files.FileWatcher;
import io.resilienceproxy.testkit.ConfigVolume;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks are taken by hand here: how often a file is looked at is no matter of these tests. */
class PolicyWatcherTest {

    private final ScheduledExecutorService unused = Executors.newSingleThreadScheduledExecutor();
    private final List<String> reported = new ArrayList<>();
    private boolean usable = true;

    @TempDir
    private Path directory;

    @AfterEach
    void shutDown() {
        unused.shutdownNow();
    }

    @Test
    void aFileWrittenInPlaceCountsOnceItIsSettled() throws IOException {
        Path file = file("one");
        PolicyWatcher watcher = watcher(file);
        Files.writeString(file, "two");
        look(watcher, FileWatcher.SETTLED_LOOKS);
        assertThat(reported).isEmpty();
        look(watcher, 1);
        assertThat(reported).containsExactly("two");
        look(watcher, 20);
        assertThat(reported).as("once").containsExactly("two");
    }

    @Test
    void theSameSizeAndTimeAreNoProofOfTheSameContent() throws IOException {
        Path file = file("one");
        PolicyWatcher watcher = watcher(file);
        var time = Files.getLastModifiedTime(file);
        Files.writeString(file, "eno");
        Files.setLastModifiedTime(file, time);
        settle(watcher);
        assertThat(reported).containsExactly("eno");
    }

    /** The first part would take an upstream away, and is valid by itself. */
    @Test
    void aPartThatIsFollowedByTheRestIsNeverTold() throws IOException {
        Path file = file("upstreams: {a: 1, b: 2}");
        PolicyWatcher watcher = watcher(file);
        Files.writeString(file, "upstreams: {a: 1}");
        look(watcher, FileWatcher.SETTLED_LOOKS);
        Files.writeString(file, "upstreams: {a: 1}\n# b is gone, and c is here\n");
        look(watcher, FileWatcher.SETTLED_LOOKS);
        assertThat(reported).isEmpty();
        look(watcher, 1);
        assertThat(reported).containsExactly("upstreams: {a: 1}\n# b is gone, and c is here\n");
    }

    @Test
    void truncateThenWriteTellsTheWholeOnly() throws IOException {
        Path file = file("one");
        PolicyWatcher watcher = watcher(file);
        Files.writeString(file, "");
        look(watcher, 2);
        Files.writeString(file, "two");
        settle(watcher);
        assertThat(reported).containsExactly("two");
    }

    @Test
    void anEditorsRenameIsSeen() throws IOException {
        Path file = file("one");
        PolicyWatcher watcher = watcher(file);
        Files.move(file, directory.resolve("policy.yaml~"));
        look(watcher, 1);
        Files.writeString(file, "two");
        settle(watcher);
        assertThat(reported).containsExactly("two");
    }

    @Test
    void aRenamedTemporaryFileIsSeen() throws IOException {
        Path file = file("one");
        PolicyWatcher watcher = watcher(file);
        Path temporary = Files.writeString(directory.resolve("policy.tmp"), "two");
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        settle(watcher);
        assertThat(reported).containsExactly("two");
    }

    @Test
    void aFileThatIsGoneIsToldOnceAndItsReturnToo() throws IOException {
        Path file = file("one");
        PolicyWatcher watcher = watcher(file);
        Files.delete(file);
        settle(watcher);
        settle(watcher);
        assertThat(reported).containsExactly("cannot be read: there is no such file");
        Files.writeString(file, "one");
        settle(watcher);
        assertThat(reported).as("back to what it was is news now").hasSize(2).endsWith("one");
    }

    @Test
    void backToTheContentInUseBeforeAnyoneWasToldIsNoNews() throws IOException {
        Path file = file("one");
        PolicyWatcher watcher = watcher(file);
        Files.writeString(file, "two");
        look(watcher, 2);
        Files.writeString(file, "one");
        settle(watcher);
        assertThat(reported).isEmpty();
    }

    @Test
    void whatCouldNotBeUsedIsTriedAgainWithoutAChange() throws IOException {
        Path file = file("one");
        PolicyWatcher watcher = watcher(file);
        usable = false;
        Files.writeString(file, "two");
        settle(watcher);
        look(watcher, FileWatcher.LOOKS_BEFORE_RETRY);
        assertThat(reported).containsExactly("two", "two");
        usable = true;
        look(watcher, FileWatcher.LOOKS_BEFORE_RETRY);
        assertThat(reported).hasSize(3);
        look(watcher, 2 * FileWatcher.LOOKS_BEFORE_RETRY);
        assertThat(reported).hasSize(3);
    }

    @Test
    void everySwapOfTheKubeletIsSeenWithoutWaiting() {
        ConfigVolume volume = volume(step -> {});
        PolicyWatcher watcher = watcher(volume.file("policy.yaml"));
        for (String content : List.of("two", "abc", "def")) {
            volume.write(Map.of("policy.yaml", content));
            look(watcher, 2);
        }
        assertThat(reported).containsExactly("two", "abc", "def");
    }

    @Test
    void ofTwoSwapsAtOnceTheLastWins() {
        ConfigVolume volume = volume(step -> {});
        PolicyWatcher watcher = watcher(volume.file("policy.yaml"));
        volume.write(Map.of("policy.yaml", "two"));
        look(watcher, 1);
        volume.write(Map.of("policy.yaml", "three"));
        look(watcher, 2);
        assertThat(reported).containsExactly("three");
    }

    @Test
    void nothingButWholeVersionsIsSeenBetweenTheKubeletsSteps() {
        List<PolicyWatcher> looking = new ArrayList<>();
        List<String> steps = new ArrayList<>();
        ConfigVolume volume = volume(step -> {
            steps.add(step);
            looking.forEach(watcher -> look(watcher, 2));
        });
        looking.add(watcher(volume.file("policy.yaml")));
        steps.clear();
        volume.leaveStaleLink();
        volume.write(Map.of("policy.yaml", "two", "other.yaml", "added"));
        assertThat(steps)
                .containsExactly(
                        "directory made",
                        "payload written",
                        "link made",
                        "swapped",
                        "file linked",
                        "old version removed");
        volume.write(Map.of("policy.yaml", "three"));
        assertThat(steps).contains("file link removed");
        assertThat(reported).containsExactly("two", "three");
    }

    @Test
    void aSwapThatOnlyTouchesAnotherFileIsNoNews() {
        ConfigVolume volume = volume(step -> {});
        PolicyWatcher watcher = watcher(volume.file("policy.yaml"));
        volume.write(Map.of("policy.yaml", "one", "other.yaml", "added"));
        look(watcher, 20);
        assertThat(reported).isEmpty();
    }

    @Test
    void aDirectoryThatIsALinkToAnotherIsFollowed() throws IOException {
        Path first = Files.createDirectory(directory.resolve("v1"));
        Path second = Files.createDirectory(directory.resolve("v2"));
        Files.writeString(first.resolve("policy.yaml"), "one");
        Files.writeString(second.resolve("policy.yaml"), "two");
        Path link = Files.createSymbolicLink(directory.resolve("current"), first);
        PolicyWatcher watcher = watcher(link.resolve("policy.yaml"));
        Path next = Files.createSymbolicLink(directory.resolve("next"), second);
        Files.move(next, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        look(watcher, 2);
        assertThat(reported).containsExactly("two");
    }

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("policy.yaml"), content);
    }

    private ConfigVolume volume(Consumer<String> hook) {
        ConfigVolume volume = new ConfigVolume(directory, hook);
        volume.write(Map.of("policy.yaml", "one"));
        return volume;
    }

    private PolicyWatcher watcher(Path file) {
        return new PolicyWatcher(PolicySource.read(file), unused, source -> {
            String problem = source.unreadable();
            reported.add(
                    problem == null
                            ? new String(source.content(), StandardCharsets.UTF_8)
                            : "cannot be read: " + problem);
            return usable;
        });
    }

    private static void settle(PolicyWatcher watcher) {
        look(watcher, 1 + FileWatcher.SETTLED_LOOKS);
    }

    private static void look(PolicyWatcher watcher, int times) {
        for (int i = 0; i < times; i++) {
            watcher.look();
        }
    }
}
