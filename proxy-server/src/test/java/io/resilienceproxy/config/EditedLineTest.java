package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.Problem;
import io.resilienceproxy.policy.Problem.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Seeded edits of one line of the example: whatever they break is reported at that line, or names it. */
class EditedLineTest {

    private static final int ROUNDS = 1000;

    /** A key with a value on its line; the comment is left off. */
    private static final Pattern ENTRY = Pattern.compile("( *(?:- )?)([a-z-]+)(: )([^ #].*?)( +#.*)?");

    /** Each a whole value to YAML, so that nothing after it changes its meaning. */
    private static final String[] VALUES = {
        "0",
        "1",
        "2",
        "5",
        "010",
        "-1",
        "1e9",
        "1.5",
        "999999999999",
        "8501",
        "9480",
        "10",
        "10ms",
        "1s",
        "7s",
        "59s",
        "61s",
        "24h",
        "25h",
        "1B",
        "16MiB",
        "2GiB",
        "true",
        "yes",
        "null",
        "~",
        "''",
        "\"a b\"",
        "enforce",
        "GET",
        "[GET]",
        "[POST]",
        "[5xx]",
        "[404]",
        "[]",
        "{}",
        "{a: b}",
        "*a",
        "&a x",
        "!x y",
        "'${NOT_SET}'",
        "'${NOT_SET:1s}'",
        "'${'",
        "http://x",
        "https://x",
        "/a",
        "/a/",
        "\u00e9",
        "2 s",
        "Host",
    };

    private final Random random = new Random(20261130);
    private List<String> example = List.of();
    private List<Integer> entries = List.of();
    private int refused;

    @BeforeEach
    void read() throws IOException {
        example = Files.readAllLines(ExampleFilesTest.CONFIG.resolve("example.yaml"));
        entries = new ArrayList<>();
        for (int i = 0; i < example.size(); i++) {
            if (ENTRY.matcher(example.get(i)).matches()) {
                entries.add(i);
            }
        }
        assertThat(entries).hasSizeGreaterThan(40);
    }

    /** One line of the example that has a key and a value. */
    private int anyEntry() {
        return entries.get(random.nextInt(entries.size()));
    }

    private Matcher entry(int index) {
        Matcher entry = ENTRY.matcher(example.get(index));
        assertThat(entry.matches()).isTrue();
        return entry;
    }

    private List<Problem> errors(int index, String line) {
        List<String> edited = new ArrayList<>(example);
        edited.set(index, line);
        LoadResult result = Loading.load(String.join("\n", edited) + "\n");
        List<Problem> errors = result.problems().stream()
                .filter(problem -> problem.severity() == Severity.ERROR)
                .toList();
        assertThat(result.policy() == null).isEqualTo(!errors.isEmpty());
        refused += errors.isEmpty() ? 0 : 1;
        return errors;
    }

    private static boolean isAt(Problem problem, int index) {
        Pattern named = Pattern.compile("\\bline " + (index + 1) + "\\b");
        return problem.line() == index + 1 || named.matcher(problem.message()).find();
    }

    @Test
    void anotherValueIsReportedAtItsLineOrByIt() {
        for (int round = 0; round < ROUNDS; round++) {
            int index = anyEntry();
            Matcher entry = entry(index);
            String line = entry.group(1) + entry.group(2) + entry.group(3) + VALUES[random.nextInt(VALUES.length)];

            assertThat(errors(index, line)).as(line).allMatch(problem -> isAt(problem, index));
        }
        assertThat(refused).isBetween(ROUNDS / 2, ROUNDS * 95 / 100);
    }

    @Test
    void aMisspeltKeyIsReportedAtItsLine() {
        for (int round = 0; round < ROUNDS / 2; round++) {
            int index = anyEntry();
            Matcher entry = entry(index);
            String key = entry.group(2);
            int at = random.nextInt(key.length());
            String misspelt = key.substring(0, at) + (char) ('A' + random.nextInt(26)) + key.substring(at);
            String line = entry.group(1) + misspelt + entry.group(3) + entry.group(4);

            assertThat(errors(index, line))
                    .as(line)
                    .anyMatch(problem -> problem.line() == index + 1
                            && problem.message().startsWith("unknown key \"" + misspelt + "\""))
                    .allMatch(problem ->
                            problem.line() == index + 1 || problem.message().startsWith("missing"));
        }
    }

    @Test
    void aRepeatedLineIsReportedAtTheSecond() {
        for (int index : entries) {
            String line = entry(index).group().replace("- name", "  name");

            assertThat(errors(index, example.get(index) + "\n" + line))
                    .as(line)
                    .anyMatch(problem -> problem.line() == index + 2
                            && isAt(problem, index)
                            && problem.message().startsWith("a duplicate key"));
        }
    }

    @Test
    void whatYamlRefusesIsReportedAtItsLine() {
        String[] endings = {": x", " ]", " }", "\u0007", "\u2028", "\uFEFF", "\r \n"};
        for (int round = 0; round < ROUNDS / 2; round++) {
            int index = anyEntry();
            Matcher entry = entry(index);
            String ending = endings[random.nextInt(endings.length)];
            String line = entry.group(1) + entry.group(2) + entry.group(3) + entry.group(4) + ending;

            assertThat(errors(index, line)).as(line).isNotEmpty().allMatch(problem -> problem.line() == index + 1);
        }
    }

    @Test
    void aTabIsReportedAtItsLine() {
        for (int index : entries) {
            assertThat(errors(index, "\t" + example.get(index)))
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.line()).isEqualTo(index + 1));
        }
    }
}
