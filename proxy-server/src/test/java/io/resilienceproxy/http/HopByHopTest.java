package io.resilienceproxy.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HopByHopTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "te",
                "TE",
                "Upgrade",
                "Connection",
                "KEEP-ALIVE",
                "HTTP2-Settings",
                "Proxy-Connection",
                "Transfer-Encoding"
            })
    void knownOnes(String name) {
        assertThat(HopByHop.isKnown(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Via",
                "Host",
                "Content-Length",
                "Trailer",
                "ET",
                "Authorization",
                "Proxy-Authorization",
                "X-Connection"
            })
    void ofOthersNothingIsKnown(String name) {
        assertThat(HopByHop.isKnown(name)).isFalse();
    }

    private static HttpHeaders connection(String... values) {
        HttpHeaders fields = new DefaultHttpHeaders();
        for (String value : values) {
            fields.add("Connection", value);
        }
        return fields;
    }

    @Test
    void nominatedAreAllOptionsOfAllLinesButThePlainOnes() {
        List<String> names =
                ConnectionField.nominated(connection("close, X-A ,", "Keep-Alive,x-b", "\"\" , X-C\t,", ""));
        assertThat(names).contains("X-A", "x-b", "X-C").doesNotContain("");
        assertThat(HopByHop.isNominated(names, "x-a")).isTrue();
        assertThat(HopByHop.isNominated(names, "x-")).isFalse();
    }

    @Test
    void hostCannotBeNominated() {
        assertThat(ConnectionField.nominated(connection("Host, HOST"))).isEmpty();
        assertThat(ConnectionField.nominated(connection())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        ", true, true",
        ", false, false",
        "close, true, false",
        "CLOSE, true, false",
        "'x, close', true, false",
        "closed, true, true",
        "keep-alive, false, true",
        "'keep-alive, close', false, false"
    })
    void aConnectionStaysByVersionAndOption(String value, boolean http11, boolean stays) {
        HttpHeaders fields = value == null ? connection() : connection(value);
        assertThat(ConnectionField.keepAlive(fields, http11)).isEqualTo(stays);
    }
}
