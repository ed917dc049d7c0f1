package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Interim responses are passed on, and are never the answer (RFC 9110 section 15.2). */
class InterimResponseTest extends WireTest {

    private static ScriptedUpstream.Script behind(String interim) {
        return (request, reply) -> reply.raw(interim).respond(200, request.target());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 103 Early Hints\r\nLink: </s>; rel=preload\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\n",
                "HTTP/1.1 102 Processing\r\n\r\n",
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </b>\r\n\r\n"
            })
    void reachesTheCallerBeforeTheAnswerItBelongsTo(String interim) {
        start(behind(interim));
        RawClient client = connect();
        for (int i = 1; i < 4; i++) {
            client.sendRequest("GET", "/up/" + i, "localhost");
            List<RawResponse> interims = readInterims(client);
            assertThat(interims).hasSize(interim.split("HTTP/1.1").length - 1);
            assertThat(interims.get(0).status()).isBetween(100, 103);
        }
        assertThat(client.received()).contains("\r\n\r\n/1", "\r\n\r\n/2", "\r\n\r\n/3");
        assertThat(upstream.connections()).hasSize(1);
    }

    private static List<RawResponse> readInterims(RawClient client) {
        List<RawResponse> interims = new ArrayList<>();
        RawResponse response = client.readResponse("GET");
        while (response.isInterim()) {
            interims.add(response);
            response = client.readResponse("GET");
        }
        assertThat(response.status()).isEqualTo(200);
        return interims;
    }

    @Test
    void isNotHeldBackUntilTheAnswerComes() {
        CountDownLatch seen = new CountDownLatch(1);
        start((request, reply) ->
                reply.startRaw(103, "Link: </s>; rel=preload").await(seen).respond(200, "ok"));
        RawClient client = connect();
        client.sendRequest("GET", "/up/1", "localhost");
        assertThat(client.readResponse("GET").field("Link")).isEqualTo("</s>; rel=preload");
        seen.countDown();
        assertThat(client.readResponse("GET").bodyText()).isEqualTo("ok");
    }

    @Test
    void comesBeforeTheAnswerToHeadToo() {
        start(behind("HTTP/1.1 103 Early Hints\r\nLink: </s>\r\n\r\n"));
        RawClient client = connect();
        client.sendRequest("HEAD", "/up/1", "localhost");
        assertThat(client.readResponse("HEAD").status()).isEqualTo(103);
        assertThat(client.readResponse("HEAD").field("Content-Length")).isEqualTo("2");
        assertThat(client.get("/up/22", "localhost").bodyText()).isEqualTo("/22");
    }

    @Test
    void isNotSentToAnHttp10Caller() {
        start(behind("HTTP/1.1 103 Early Hints\r\n\r\n"));
        RawClient client = connect();
        client.send("GET /up/1 HTTP/1.0\r\n\r\n");
        assertThat(client.readResponse("GET").status()).isEqualTo(200);
        client.readToEnd();
        assertThat(client.received()).doesNotContain("103");
    }

    @Test
    void carriesNoFieldsOfOneHopAndNoFraming() {
        start(behind(
                "HTTP/1.1 103 Early Hints\r\nConnection: X-Hop\r\nX-Hop: 1\r\nContent-Length: 3\r\nX-End: 1\r\n\r\n"));
        RawClient client = connect();
        client.sendRequest("GET", "/up/1", "localhost");
        RawResponse interim = client.readResponse("GET");
        assertThat(interim.field("X-Hop")).isNull();
        assertThat(interim.field("Content-Length")).isNull();
        assertThat(interim.field("X-End")).isEqualTo("1");
        assertThat(client.readResponse("GET").bodyText()).isEqualTo("/1");
    }

    @Test
    void endsInABadGatewayWhereNoAnswerFollowsButEverMoreOfThem() {
        start((request, reply) -> {
            for (int i = 0; i < 200; i++) {
                reply.raw("HTTP/1.1 102 Processing\r\n\r\n");
            }
            reply.hold();
        });
        RawClient client = connect();
        client.sendRequest("GET", "/up/1", "localhost");
        assertThat(client.readFinalResponse("GET").status()).isEqualTo(502);
    }

    @Test
    void thatSwitchesProtocolsUnaskedIsABadGateway() {
        start((request, reply) -> {
            reply.raw("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: foo\r\n\r\nraw");
            reply.hold();
        });
        assertThat(connect().get("/up/1", "localhost").status()).isEqualTo(502);
    }
}
