package io.resilienceproxy.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.exchange.Ending;
import io.resilienceproxy.outcome.NotKept;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.routing.RouteTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MeterNamesTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "metrics.md");
    private static final String BEGIN = "<!-- meters: begin -->\n";
    private static final String END = "<!-- meters: end -->";

    private final MetricsFixture fixture = new MetricsFixture();

    /** A difference is mended by putting the table that the failure shows between the two marks. */
    @Test
    void isWhatTheDocumentSays() throws IOException {
        String document = Files.readString(DOCUMENT);
        String table = document.substring(document.indexOf(BEGIN) + BEGIN.length(), document.indexOf(END));

        assertThat(table).isEqualTo(documented());
    }

    private static String documented() {
        String rows = Arrays.stream(MeterNames.values())
                .map(meter -> "| `%s` | %s | %s | %s |\n"
                        .formatted(
                                meter.series(), meter.type().token(), String.join(", ", meter.tags()), meter.meaning()))
                .collect(Collectors.joining());
        return "| series | type | labels | meaning |\n|---|---|---|---|\n" + rows;
    }

    @Test
    void namesAndTypesAreWhatPrometheusIsTold() {
        List<String> typed = exposedTypes();

        for (MeterNames meter : MeterNames.values()) {
            assertThat(typed)
                    .contains("# TYPE " + meter.series() + " " + meter.type().token());
        }
    }

    @Test
    void nothingIsExposedThatIsNotInTheTable() {
        Set<String> known = Arrays.stream(MeterNames.values())
                .map(MeterNames::series)
                .collect(Collectors.toCollection(TreeSet::new));
        known.add(MeterNames.REQUEST_DURATION.series() + "_max");

        assertThat(exposedTypes())
                .map(line -> line.split(" ")[2])
                .filteredOn(name -> name.startsWith("resilience_proxy"))
                .allMatch(known::contains);
    }

    private List<String> exposedTypes() {
        UpstreamPolicy several = MetricsFixture.upstream("sber", "east.test", "west.test");
        RouteTable table = fixture.table(several);
        table.routes().forEach(fixture.meters::forRoute);
        fixture.meters.bind(table);
        fixture.meters.bindPool("sber", () -> 0, () -> 0, () -> 0, () -> 0, () -> 20);
        fixture.meters.bindStore("sber", () -> 0, () -> 0, () -> 0);
        fixture.meters.forRoute(table.routes().get(0)).onEnded(Ending.DEGRADED_STALE, null, 200, 0, null, 1);
        fixture.meters.forRoute(table.routes().get(0)).onNotKept(NotKept.VARY);
        for (UpstreamUrl url : several.urls()) {
            fixture.meters.bindSite(several, url, () -> 0, () -> 0, () -> 0, () -> 1, () -> 0);
            fixture.meters.forSite("sber", url).onLookedUp(true);
        }
        fixture.meters.bindCertificates("sber", several.url(), () -> 0, () -> 0);
        fixture.meters.bindTlsProvider("jdk");
        fixture.meters.bindDroppedLogLines(() -> 0);
        fixture.meters.bindBuild("1.2.3");
        fixture.meters.configAccepted("cafe", 0);
        return fixture.text().lines().filter(line -> line.startsWith("# TYPE")).toList();
    }
}
