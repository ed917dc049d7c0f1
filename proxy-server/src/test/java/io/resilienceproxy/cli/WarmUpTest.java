package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WarmUpTest {

    @Test
    void playsEveryKindOfAnswer() throws IOException {
        List<String> answers = new ArrayList<>();

        WarmUp.play(Clock.SYSTEM, TimeUnit.SECONDS.toNanos(20), answers::add);

        assertThat(answers)
                .extracting(WarmUpTest::summary)
                .containsExactly(
                        "200, retried",
                        "404",
                        "200",
                        "502 reset",
                        "504 read-timeout",
                        "504 call-timeout",
                        "504 deadline-exhausted",
                        "502 connection-refused",
                        "500",
                        "500",
                        "503 circuit-open",
                        "404 no-route",
                        "400 bad-request",
                        "503 bulkhead-full");
    }

    private static String summary(String answer) {
        String status = answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length());
        int reason = answer.indexOf("\"reason\":\"");
        if (reason < 0) {
            return answer.contains("attempts=2") ? status + ", retried" : status;
        }
        int start = reason + "\"reason\":\"".length();
        return status + ' ' + answer.substring(start, answer.indexOf('"', start));
    }
}
