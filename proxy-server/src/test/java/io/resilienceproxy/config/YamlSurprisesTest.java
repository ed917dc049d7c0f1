package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What YAML would read as something else than its writer saw. */
class YamlSurprisesTest {

    private static final String GOOD = "upstreams: {sber: {url: http://sber}}\n";

    @Test
    void refusesADuplicateKeyAndNamesTheFirst() {
        assertThat(Loading.problems("threads: 2\n" + GOOD + "threads: 3\n"))
                .containsExactly("3:1: threads: a duplicate key (expected: once; the first is at line 1)");
        assertThat(Loading.problems(Loading.upstream("timeouts: {read: 1s, \"read\": 2s}")))
                .containsExactly(
                        "4:26: upstreams.sber.timeouts.read: a duplicate key (expected: once; the first is at line 4)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "no", "on", "off", "True", "TRUE", "1", "y"})
    void takesOnlyTrueAndFalseForBooleans(String text) {
        assertThat(Loading.problems(Loading.upstream("routes: [{name: a, path: /a, stream: " + text + "}]")))
                .containsExactly("4:34: upstreams.sber.routes[0].stream: " + text + " (expected: true or false)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"010", "0x10", "0o10", "0b1", "+2", "-0", "1_000", "1e1", "2.0", "12:30", ".nan", ".inf", "١"})
    void takesOnlyPlainDecimalsForWholeNumbers(String text) {
        assertThat(Loading.problems("threads: " + text + "\n" + GOOD))
                .singleElement()
                .asString()
                .startsWith("1:1: threads: ")
                .contains("(expected: a whole number from 1 to 64");
    }

    @Test
    void quotesChangeNothing() {
        assertThat(Loading.clean("threads: \"2\"\n" + GOOD).threads()).isEqualTo(2);
        assertThat(Loading.problems("threads: '010'\n" + GOOD)).hasSize(1);
    }

    @Test
    void aNameIsItsTextWhateverYamlMakesOfIt() {
        assertThat(Loading.clean("upstreams: {no: {url: http://sber}, 010: {url: http://other}}")
                        .upstreams())
                .extracting(upstream -> upstream.name())
                .containsExactly("no", "010");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " ~", " null", " Null", " # a comment"})
    void refusesAKeyWithoutAValue(String text) {
        assertThat(Loading.problems("threads:" + text + "\n" + GOOD))
                .containsExactly("1:1: threads: no value (expected: a value; leave the key out to have its default)");
        assertThat(Loading.problems("limits:" + text + "\n" + GOOD)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "# only a comment\n", "---\n", "--- ~\n", "---\n...\n"})
    void refusesAnEmptyFile(String text) {
        assertThat(Loading.problems(text)).singleElement().asString().matches("1:1: (the file is empty|no value) .*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "text", "- a", "\"\"", "12"})
    void refusesAFileThatIsNotAMap(String text) {
        assertThat(Loading.problems(text))
                .singleElement()
                .asString()
                .startsWith("1:1: ")
                .contains("(expected: a map of listen, threads,");
    }

    @Test
    void refusesASecondDocument() {
        assertThat(Loading.problems("---\n" + GOOD + "---\n" + GOOD))
                .containsExactly("3:1: a second document (expected: one only)");
    }

    @Test
    void refusesAnchorsAndAliases() {
        assertThat(Loading.problems("listen: &a {port: 1}\nadmin: *a\n" + GOOD))
                .containsExactly(
                        "1:1: listen: an anchor (expected: none; anchors and aliases are not supported)",
                        "2:1: admin: an alias (expected: the value itself; aliases are not supported)");
    }

    @Test
    void refusesMergeKeys() {
        assertThat(Loading.problems("limits: {<<: {max-connections: 3}}\n" + GOOD))
                .containsExactly(
                        "1:10: limits: a merge key (expected: none; \"defaults\" is the way to share settings)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"!!int 2", "!!str 2", "!secret 2", "! 2", "!!java.net.URL 2"})
    void refusesTags(String text) {
        assertThat(Loading.problems("threads: " + text + "\n" + GOOD))
                .singleElement()
                .asString()
                .startsWith("1:1: threads: the tag ");
    }

    @Test
    void refusesKeysThatAreNotWords() {
        assertThat(Loading.problems("? [a]\n: 1\n" + GOOD))
                .containsExactly("1:3: a key that is not a word (expected: a plain key)");
        assertThat(Loading.problems("? {a: 1}\n: 1\n" + GOOD)).hasSize(1);
        assertThat(Loading.problems("\"\": 1\n" + GOOD)).hasSize(1);
        assertThat(Loading.problems("x".repeat(65) + ": 1\n" + GOOD)).hasSize(1);
    }

    @Test
    void reportsASyntaxErrorAtItsPlace() {
        assertThat(Loading.problems("listen:\n  port: 1\n host: x\n"))
                .singleElement()
                .asString()
                .startsWith("3:2: not valid YAML: ");
        assertThat(Loading.problems("a: b: c\n")).singleElement().asString().startsWith("1:5: not valid YAML: ");
        assertThat(Loading.problems("upstreams: {sber: {url: http://sb"))
                .singleElement()
                .asString()
                .contains("YAML");
    }

    @Test
    void reportsWhatStandsBeforeASyntaxErrorToo() {
        assertThat(Loading.problems("threads: *x\na: b: c\n")).hasSize(2);
    }

    @Test
    void refusesATabInTheIndentation() {
        assertThat(Loading.problems("limits:\n\tmax-connections: 3\n\theader-timeout: 1s\n" + GOOD))
                .containsExactly(
                        "2:1: a tab in the indentation (expected: spaces)",
                        "3:1: a tab in the indentation (expected: spaces)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u2028", "\u2029", "\u0085", "\r", "\u0000", "\u001B", "\u007F", "\uFFFE"})
    void refusesCharactersThatAnEditorHides(String hidden) {
        assertThat(Loading.problems("# comment" + hidden + "threads: 64\n" + GOOD))
                .singleElement()
                .asString()
                .startsWith("1:10: the control character U+");
    }

    @Test
    void takesWindowsLineEnds() {
        assertThat(Loading.clean("threads: 2\r\n" + GOOD).threads()).isEqualTo(2);
    }

    @Test
    void refusesAMapWhereAListIsExpectedAndTheOtherWayRound() {
        assertThat(Loading.problems(Loading.upstream("hosts: {a: b}", "timeouts: 5s", "routes: [a]", "pool: []")))
                .containsExactly(
                        "4:5: upstreams.sber.hosts: a map (expected: a list)",
                        "5:5: upstreams.sber.timeouts: 5s (expected: a map of connect, read, call)",
                        "6:14: upstreams.sber.routes[0]: a (expected: a map of name, path, methods, mode, timeouts,"
                                + " deadline, bulkhead, circuit-breaker, retry, fallback, stream, priority)",
                        "7:5: upstreams.sber.pool: a list (expected: a map of max-connections, idle-timeout, max-lifetime, min-idle)");
        assertThat(Loading.problems("threads: [1]\n" + GOOD))
                .containsExactly("1:1: threads: a list (expected: a single value)");
    }
}
