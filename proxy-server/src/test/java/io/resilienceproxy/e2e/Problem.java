package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.resilienceproxy.testkit.RawResponse;
import java.io.IOException;

/** An answer of the proxy's own, taken apart: it must be whole and carry every member that callers may rely on. */
record Problem(RawResponse response, JsonNode document) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** @throws AssertionError where the response is not a whole problem document */
    static Problem of(RawResponse response) {
        assertThat(response.field("Content-Type")).as(response.toString()).isEqualTo("application/problem+json");
        assertThat(response.complete()).isTrue();
        try {
            JsonNode document = JSON.readTree(response.body());
            assertThat(document.fieldNames())
                    .toIterable()
                    .containsExactly(
                            "type", "title", "status", "detail", "upstream", "route", "reason", "outcome", "attempts");
            assertThat(document.get("status").intValue()).isEqualTo(response.status());
            assertThat(document.get("detail").textValue()).isNotBlank();
            return new Problem(response, document);
        } catch (IOException e) {
            throw new AssertionError("not JSON: " + response, e);
        }
    }

    String reason() {
        return document.get("reason").textValue();
    }

    String outcome() {
        return document.get("outcome").textValue();
    }

    int attempts() {
        return document.get("attempts").intValue();
    }

    String proxyStatus() {
        return String.valueOf(response.field("Proxy-Status"));
    }

    /** What went wrong: {@code Proxy-Status} without the address that was tried, which must be there. */
    String error() {
        String hop = "; next-hop=\"127.0.0.1:";
        assertThat(proxyStatus()).contains(hop);
        return proxyStatus().substring(0, proxyStatus().indexOf(hop));
    }
}
