package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as they are found on disk: absent, half-written, not text. */
class LoadFileTest {

    private static final byte[] GOOD = "upstreams: {sber: {url: http://sber}}\n".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path directory;

    private LoadResult load(byte[] content) throws IOException {
        Path file = directory.resolve("policy.yaml");
        Files.write(file, content);
        return new PolicyLoader(name -> null).load(file);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void loadsAFile() throws IOException {
        assertThat(load(GOOD).problems()).isEmpty();
    }

    @Test
    void namesTheFileInAProblem() throws IOException {
        assertThat(load(bytes("threads: 0\n")).problems().get(0).file())
                .isEqualTo(directory.resolve("policy.yaml").toString());
    }

    @Test
    void aFileThatIsNotThereIsAProblem() {
        Path file = directory.resolve("missing.yaml");

        assertThat(new PolicyLoader(name -> null).load(file).problems())
                .singleElement()
                .hasToString(file + ":1:1: cannot be read: there is no such file");
    }

    @Test
    void aDirectoryIsAProblem() {
        assertThat(new PolicyLoader(name -> null).load(directory).problems()).hasSize(1);
    }

    @Test
    void aTruncatedFileIsAProblemNotAnEmptyPolicy() throws IOException {
        assertThat(load(new byte[0]).problems().get(0).message())
                .isEqualTo("the file is empty (expected: a policy, with upstreams)");
    }

    @Test
    void aListCutInTheMiddleIsAProblem() throws IOException {
        LoadResult result = load(bytes(Loading.upstream("routes:", "- {name: a, path: /a}", "- na")));

        assertThat(result.policy()).isNull();
        assertThat(result.problems()).singleElement().asString().contains("routes[1]: na (expected: a map of name,");
    }

    @Test
    void bytesThatAreNotUtf8AreAProblemAtTheirPlace() throws IOException {
        byte[] content = bytes("threads: 1\n# caf_\n");
        content[16] = (byte) 0xE9;

        assertThat(load(content).problems())
                .singleElement()
                .asString()
                .endsWith(":2:6: not UTF-8 (expected: text in UTF-8)");
        assertThat(load(new byte[] {(byte) 0xC3}).problems()).hasSize(1);
        assertThat(load(new byte[] {(byte) 0xFF, (byte) 0xFE, 'a', 0}).problems())
                .hasSize(1);
    }

    @Test
    void aByteOrderMarkIsAProblem() throws IOException {
        assertThat(load(bytes("\uFEFF" + new String(GOOD, StandardCharsets.UTF_8)))
                        .problems())
                .singleElement()
                .asString()
                .endsWith(":1:1: a byte order mark (expected: UTF-8 without one)");
    }

    @Test
    void countsColumnsInCodePoints() {
        assertThat(Loading.problems("{\"\uD83D\uDE00\": 1, threads: 0, upstreams: {a: {url: http://a}}}"))
                .anyMatch(line -> line.startsWith("1:10: threads: 0 "));
    }

    @Test
    void aFileOfOneMebibyteIsReadAndOneByteMoreIsNot() throws IOException {
        byte[] padding = bytes("#".repeat(1024 * 1024 - GOOD.length));
        byte[] content = new byte[1024 * 1024];
        System.arraycopy(GOOD, 0, content, 0, GOOD.length);
        System.arraycopy(padding, 0, content, GOOD.length, padding.length);

        assertThat(load(content).problems()).isEmpty();
        assertThat(load(java.util.Arrays.copyOf(content, content.length + 1)).problems())
                .singleElement()
                .asString()
                .contains("too large");
    }
}
