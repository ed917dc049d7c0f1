package io.resilienceproxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.http.ResponseHead;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryLayersTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "absent",
            value = {
                "X-Attempt, 2, true",
                "x-attempt, 1, false",
                "X-Attempt, 0, false",
                "x-envoy-attempt-count, 2, true",
                "X-Envoy-Attempt-Count, 1, false",
                "grpc-previous-rpc-attempts, 1, true",
                "grpc-previous-rpc-attempts, 0, false",
                "X-Attempt, '', false",
                "X-Attempt, -2, false",
                "X-Attempt, +2, false",
                "X-Attempt, '2, 3', false",
                "X-Attempt, 99999999999999999999, false",
                "X-Attempt, 999999999, true",
            })
    void aRequestThatSaysSoIsARetry(String name, String value, boolean retry) {
        assertThat(RetryLayers.isRetry(new DefaultHttpHeaders().add(name, value)))
                .isEqualTo(retry);
        assertThat(RetryLayers.isRetry(new DefaultHttpHeaders())).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "503 | resilience-proxy; error=destination_unavailable | true",
                "503 | resilience-proxy; error=connection_limit_reached | true",
                "504 | resilience-proxy; error=http_request_denied; details=\"deadline exhausted\" | true",
                "503 | resilience-proxy; error=destination_unavailable, other; attempts=2 | true",
                "503 | edge; error=x,resilience-proxy; error=connection_limit_reached | true",
                "502 | resilience-proxy; error=connection_refused | false",
                "504 | resilience-proxy; error=connection_read_timeout | false",
                "503 | resilience-proxy; attempts=2 | false",
                "503 | other; error=destination_unavailable | false",
                "503 | resilience-proxy; error=destination_unavailable_too | false",
                "404 | resilience-proxy; error=destination_unavailable | false",
            })
    void aRefusalOfAProxyBelowIsKnownByItsProxyStatus(int status, String value, boolean refusal) {
        HttpHeaders fields =
                new DefaultHttpHeaders().add("Proxy-Status", "a; b").add("proxy-status", value);

        assertThat(RetryLayers.isRefusal(new ResponseHead(status, "", fields, 0, true)))
                .isEqualTo(refusal);
    }

    @Test
    void anAnswerWithoutThatFieldIsNone() {
        assertThat(RetryLayers.isRefusal(new ResponseHead(503, "", new DefaultHttpHeaders(), 0, true)))
                .isFalse();
    }
}
