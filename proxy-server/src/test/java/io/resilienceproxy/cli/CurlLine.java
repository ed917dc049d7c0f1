package io.resilienceproxy.cli;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A curl line of the demo as printed, and what curl would send for it. Knows just as much of shell and curl as the demo
 * uses: whatever else stands in a line fails the test.
 */
record CurlLine(int port, List<String> targets, List<String> fields, boolean parallel) {

    private static final Pattern LINE =
            Pattern.compile("curl (?:-s|-si|(--no-progress-meter --parallel --parallel-immediate))(?: -H '([^']+)')?"
                    + " \"http://localhost:([0-9]+)(/[^\" ]*?(?:\\$\\(date \\+%s\\))?)\"");
    private static final Pattern RANGE = Pattern.compile("\\[([0-9]+)-([0-9]+)]");

    /** @param time what the shell's clock says */
    static CurlLine parse(String text, long time) {
        Matcher line = LINE.matcher(text);
        if (!line.matches()) {
            throw new AssertionError("not a curl line that this test understands: " + text);
        }
        String target = line.group(4).replace("$(date +%s)", Long.toString(time));
        String field = line.group(2);
        return new CurlLine(
                Integer.parseInt(line.group(3)),
                expand(target),
                field == null ? List.of() : List.of(field),
                line.group(1) != null);
    }

    private static List<String> expand(String target) {
        Matcher range = RANGE.matcher(target);
        if (!range.find()) {
            return List.of(target);
        }
        return IntStream.rangeClosed(Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)))
                .mapToObj(i -> target.replace(range.group(), Integer.toString(i)))
                .toList();
    }

    /** In the order of the targets. */
    List<RawResponse> run() {
        List<RawClient> clients = new ArrayList<>();
        try {
            List<RawResponse> responses = new ArrayList<>();
            for (String target : targets) {
                RawClient client = RawClient.connect(port);
                clients.add(client);
                client.sendRequest("GET", target, "localhost:" + port, fields.toArray(String[]::new));
                if (!parallel) {
                    responses.add(client.readFinalResponse("GET"));
                }
            }
            if (parallel) {
                clients.forEach(client -> responses.add(client.readFinalResponse("GET")));
            }
            return responses;
        } finally {
            clients.forEach(RawClient::close);
        }
    }
}
