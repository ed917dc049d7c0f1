package io.resilienceproxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables of docs/errors.md against the code: a new reason or ending needs its row. */
class ErrorsDocumentTest {

    private static final Pattern REASON_ROW =
            Pattern.compile("(?m)^\\| `([a-z0-9-]+)` \\| ([0-9]{3}) \\| `([a-z_]+)` \\| .+ \\| .+ \\|$");
    private static final Pattern ENDING_ROW = Pattern.compile("(?m)^\\| `([a-z-]+)` \\| [^|]+ \\|$");

    private final String document = Files.readString(Path.of("..", "docs", "errors.md"));

    ErrorsDocumentTest() throws IOException {}

    @Test
    void everyReasonHasOneRowWithItsStatusAndProxyStatus() {
        List<String> rows = REASON_ROW
                .matcher(document)
                .results()
                .map(row -> row.group(1) + " " + row.group(2) + " " + row.group(3))
                .toList();

        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Reason.values())
                        .map(reason -> reason.token() + " " + reason.status() + " " + reason.proxyStatusError())
                        .toList());
    }

    @Test
    void everyEndingHasOneRow() {
        List<String> rows =
                ENDING_ROW.matcher(document).results().map(row -> row.group(1)).toList();

        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Ending.values()).map(Ending::token).toList());
    }
}
