package io.resilienceproxy.fallback;

import static io.resilienceproxy.fallback.Messages.answer;
import static io.resilienceproxy.fallback.Messages.body;
import static io.resilienceproxy.fallback.Messages.get;
import static io.resilienceproxy.fallback.Messages.headers;
import static io.resilienceproxy.fallback.Messages.request;
import static io.resilienceproxy.fallback.Messages.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.outcome.NotKept;
import io.resilienceproxy.time.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerStoreTest {

    private static final int KIB = 1024;
    private static final Duration HOUR = Duration.ofHours(1);

    private final ManualClock clock = new ManualClock();
    private final AnswerStore store = new AnswerStore(256 * KIB, HOUR, clock, null);
    private final AnswerKeys keys = new AnswerKeys(List.of());

    private @Nullable StoredAnswer find(RequestHead request) {
        return store.find(keys, request, 0, HOUR.toNanos());
    }

    @Test
    void givesTheLastGoodAnswerWithItsStatusAndFields() {
        answer(store, keys, get("/a"), "first");
        answer(
                store,
                keys,
                get("/a"),
                response(
                        203,
                        6,
                        "Content-Type: text/plain",
                        "X-A: 1",
                        "x-a: \u00e9",
                        "Empty:",
                        "Connection: close, X-Hop",
                        "X-Hop: gone",
                        "Keep-Alive: timeout=5",
                        "Content-Length: 6",
                        "Age: 7"),
                "second");

        StoredAnswer found = find(get("/a"));

        assertThat(found).isNotNull();
        ResponseHead head = found.head(false);
        assertThat(head.status()).isEqualTo(203);
        assertThat(head.reasonPhrase()).isEqualTo("OK");
        assertThat(head.bodyLength()).isEqualTo(6);
        assertThat(head.fields().entries())
                .extracting(field -> field.getKey() + "=" + field.getValue())
                .containsExactly("Content-Type=text/plain", "X-A=1", "x-a=\u00e9", "Empty=");
        assertThat(body(found)).isEqualTo("second");
    }

    @Test
    void anotherTargetOrMethodHasAnotherAnswer() {
        answer(store, keys, get("/a?x=1"), "one");

        assertThat(find(get("/a"))).isNull();
        assertThat(find(get("/a?x=2"))).isNull();
        assertThat(find(get("/A?x=1"))).isNull();
        assertThat(find(request("OPTIONS", "/a?x=1"))).isNull();
        assertThat(find(get("/a?x=1"))).isNotNull();
    }

    @Test
    void aHeadIsAnsweredFromItsOwnAnswerOrThatOfAGet() {
        answer(store, keys, get("/a"), "body!");
        RequestHead head = request("HEAD", "/a");

        StoredAnswer ofGet = find(head);
        assertThat(ofGet).isNotNull();
        assertThat(ofGet.head(true).bodyLength()).isEqualTo(BodyLength.ABSENT);
        assertThat(ofGet.head(true).fields().get("Content-Length")).isEqualTo("5");

        answer(store, keys, head, response(200, BodyLength.ABSENT, "Content-Length: 77"), "");
        StoredAnswer own = find(head);
        assertThat(own).isNotNull();
        assertThat(own.head(true).fields().get("Content-Length")).isEqualTo("77");
        assertThat(body(java.util.Objects.requireNonNull(find(get("/a"))))).isEqualTo("body!");
    }

    @Test
    void anAnswerToAHeadIsNeverGivenToAGet() {
        answer(store, keys, request("HEAD", "/a"), response(200, BodyLength.ABSENT, "Content-Length: 77"), "");

        assertThat(find(get("/a"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Cache-Control: no-store",
                "Cache-Control: max-age=5, NO-STORE",
                "Cache-Control: private",
                "Cache-Control: private=\"x-a\"",
                "Cache-Control: no-cache",
                "Cache-Control: max-age=0,must-revalidate",
                "Cache-Control: proxy-revalidate",
                "Cache-Control: s-maxage=60",
                "Set-Cookie: id=1",
                "Vary: *",
                "Vary: Accept, *",
                "X-Degraded: stale",
            })
    void anAnswerThatForbidsItIsNotKept(String field) {
        assertThat(answer(store, keys, get("/a"), "x", field)).isFalse();
        assertThat(find(get("/a"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 206, 301, 304, 404, 429, 500, 503})
    void onlyWholeAnswersToReadsAreKept(int status) {
        assertThat(answer(store, keys, get("/a"), response(status, 1), "x")).isFalse();
    }

    @Test
    void aRequestThatForbidsItOrIsNoPlainReadHasNoAnswerKept() {
        assertThat(answer(store, keys, get("/a", "Cache-Control: no-store"), "x"))
                .isFalse();
        assertThat(answer(store, keys, request("POST", "/a"), "x")).isFalse();
        assertThat(answer(store, keys, get("/a", "If-Match: \"1\""), "x")).isFalse();
        assertThat(answer(store, keys, get("/a", "If-None-Match: \"1\"", "Range: bytes=0-"), "x"))
                .isTrue();
        HttpHeaders none = headers();
        RequestHead search = new RequestHead("GET", "/s", null, none, 1, 5, true, false, false);
        RequestHead chunked = new RequestHead("GET", "/s", null, none, 1, BodyLength.CHUNKED, true, false, false);
        RequestHead socket = new RequestHead("GET", "/s", null, none, 1, BodyLength.ABSENT, true, false, true);
        assertThat(List.of(search, chunked, socket)).noneMatch(request -> answer(store, keys, request, "x"));
        answer(store, keys, get("/s"), "x");
        assertThat(List.of(search, chunked, socket)).allMatch(request -> find(request) == null);
    }

    @Test
    void whatAnAnswerVariesByIsCompared() {
        answer(store, keys, get("/a", "Accept-Language: de"), "deutsch", "Vary: Accept-Language");
        answer(store, keys, get("/a", "accept-language: en"), "english", "Vary: accept-language");

        assertThat(find(get("/a", "ACCEPT-LANGUAGE: de")))
                .extracting(Messages::body)
                .isEqualTo("deutsch");
        assertThat(find(get("/a", "Accept-Language: en")))
                .extracting(Messages::body)
                .isEqualTo("english");
        assertThat(find(get("/a"))).isNull();
        assertThat(find(get("/a", "Accept-Language: de", "Accept-Language: en")))
                .isNull();
    }

    @Test
    void aCodingIsGivenToThoseOnlyWhoAskedLikeTheOneItWasFor() {
        answer(store, keys, get("/a", "Accept-Encoding: gzip"), "zipped", "Content-Encoding: gzip");

        assertThat(find(get("/a"))).isNull();
        assertThat(find(get("/a", "Accept-Encoding: gzip"))).isNotNull();
    }

    @Test
    void ofManyVariantsTheOldestMakeRoom() {
        for (int i = 0; i < 20; i++) {
            answer(store, keys, get("/a", "Accept: " + i), "b" + i, "Vary: Accept");
        }

        assertThat(find(get("/a", "Accept: 11"))).isNull();
        assertThat(find(get("/a", "Accept: 12"))).isNotNull();
        assertThat(find(get("/a", "Accept: 19"))).isNotNull();
    }

    @Test
    void anAnswerGetsOlderWithTheClockAndIsNotGivenBeyondItsLimit() {
        answer(store, keys, get("/a"), "x", "Age: 100");
        clock.advance(Duration.ofSeconds(50));

        StoredAnswer found =
                store.find(keys, get("/a"), 0, Duration.ofSeconds(150).toNanos());
        assertThat(found).isNotNull();
        assertThat(found.ageSeconds(clock.nanoTime())).isEqualTo(150);
        assertThat(store.find(keys, get("/a"), 0, Duration.ofSeconds(149).toNanos()))
                .isNull();
        clock.advance(Duration.ofSeconds(1));
        assertThat(store.find(keys, get("/a"), 0, Duration.ofSeconds(150).toNanos()))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-5", "1.5", "x", "99999999999999999999"})
    void anAgeThatCannotBeReadIsNone(String age) {
        answer(store, keys, get("/a"), "x", "Age: " + age);

        assertThat(find(get("/a")))
                .extracting(found -> found.ageSeconds(clock.nanoTime()))
                .isEqualTo(0L);
    }

    @Test
    void anAnswerThatBreaksOffLeavesTheOneBefore() {
        answer(store, keys, get("/a"), "good");
        AnswerCapture broken = store.capture(keys, get("/a"), 0, response(200, 10), store.now(), why -> {});
        assertThat(broken).isNotNull();
        broken.add(Unpooled.wrappedBuffer(new byte[5]));
        broken.abandon();
        broken.complete(null);

        assertThat(find(get("/a"))).extracting(Messages::body).isEqualTo("good");
    }

    @Test
    void trailersAreNotKeptAndNorIsAnAnswerThatHasThem() {
        AnswerCapture capture =
                store.capture(keys, get("/a"), 0, response(200, BodyLength.CHUNKED), store.now(), why -> {});
        assertThat(capture).isNotNull();
        capture.complete(headers("X-Sum: 1"));

        assertThat(find(get("/a"))).isNull();
    }

    @Test
    void aBodyAboveTheBoundIsNotKept() {
        int bound = 256 * KIB / 8;

        assertThat(answer(store, keys, get("/a"), response(200, bound + 1), "x".repeat(bound + 1)))
                .isFalse();
        answer(store, keys, get("/b"), response(200, BodyLength.CHUNKED), "x".repeat(bound + 1));
        assertThat(find(get("/b"))).isNull();
        answer(store, keys, get("/c"), response(200, BodyLength.CHUNKED), "x".repeat(bound));
        assertThat(find(get("/c"))).isNotNull();
    }

    @Test
    void whatIsBeingReceivedCountsAndIsBoundedToo() {
        long empty = store.bytes();
        AnswerCapture first = store.capture(keys, get("/a"), 0, response(200, 32 * KIB), store.now(), why -> {});
        assertThat(first).isNotNull();
        assertThat(store.bytes()).isEqualTo(empty + 32 * KIB);

        AnswerCapture second = store.capture(keys, get("/b"), 0, response(200, 1), store.now(), why -> {});
        assertThat(second).isNotNull();
        second.add(Unpooled.wrappedBuffer(new byte[1]));
        second.complete(null);
        assertThat(find(get("/b"))).isNull();

        first.abandon();
        assertThat(store.bytes()).isEqualTo(empty);
        assertThat(answer(store, keys, get("/b"), "x")).isTrue();
        assertThat(find(get("/b"))).isNotNull();
    }

    @Test
    void aSmallerBoundHoldsAtOnceAndAnotherStoreGoesOnCounting() {
        for (int i = 0; i < 100; i++) {
            answer(store, keys, get("/" + i), "x".repeat(1000));
        }
        assertThat(store.bytes()).isGreaterThan(100_000);

        store.change(64 * KIB, HOUR);

        assertThat(store.bytes()).isLessThanOrEqualTo(64 * KIB);
        assertThat(store.evictions()).isPositive();
        assertThat(new AnswerStore(64 * KIB, HOUR, clock, store).evictions()).isEqualTo(store.evictions());
    }

    /** {@code /up/a} by path is {@code /a} to the upstream, and by Host it is {@code /up/a}. */
    @Test
    void theSameTargetMeansAnotherThingWhereItBeginsWithTheUpstreamsName() {
        store.capture(keys, get("/up/a"), 3, response(200, 0), store.now(), why -> {})
                .complete(null);

        assertThat(store.find(keys, get("/up/a"), 0, HOUR.toNanos())).isNull();
        assertThat(store.find(keys, request("HEAD", "/up/a"), 0, HOUR.toNanos()))
                .isNull();
        assertThat(store.find(keys, get("/up/a"), 3, HOUR.toNanos())).isNotNull();
    }

    /** Else a caller could put the answer for nobody in the place of that for anybody else. */
    @Test
    void anAnswerIsNotKeptUnderAFieldThatTheUpstreamHasNotSeen() {
        AnswerKeys tenants = new AnswerKeys(List.of("x-tenant"));

        assertThat(answer(store, tenants, get("/a", "X-Tenant: t", "Connection: x-tenant"), "of nobody"))
                .isFalse();
        assertThat(answer(
                        store,
                        keys,
                        get("/a", "Accept-Language: de", "Connection: close, accept-language"),
                        "in no language",
                        "Vary: Accept-Language"))
                .isFalse();
        assertThat(answer(store, tenants, get("/a", "Connection: x-tenant"), "of nobody"))
                .isTrue();
    }

    static Stream<Arguments> whatIsNotKept() {
        return Stream.of(
                arguments(NotKept.STATUS, get("/a"), response(404, 1)),
                arguments(NotKept.REQUEST, get("/a", "Cache-Control: no-store"), response(200, 1)),
                arguments(NotKept.REQUEST, get("/a", "If-Match: x"), response(200, 1)),
                arguments(NotKept.CREDENTIALS, get("/a", "Cookie: c"), response(200, 1)),
                arguments(NotKept.HOP_BY_HOP, get("/a", "X: 1", "Connection: x"), response(200, 1, "Vary: X")),
                arguments(NotKept.SET_COOKIE, get("/a"), response(200, 1, "Set-Cookie: c")),
                arguments(NotKept.CACHE_CONTROL, get("/a"), response(200, 1, "Cache-Control: private")),
                arguments(NotKept.VARY, get("/a"), response(200, 1, "Vary: *")),
                arguments(NotKept.DEGRADED, get("/a"), response(200, 1, "X-Degraded: stale")),
                arguments(NotKept.TOO_LONG, get("/a"), response(200, 32 * KIB + 1)));
    }

    @ParameterizedTest
    @MethodSource("whatIsNotKept")
    void saysWhyAnAnswerIsNotKept(NotKept why, RequestHead request, ResponseHead head) {
        List<NotKept> told = new ArrayList<>();

        assertThat(store.capture(keys, request, 0, head, store.now(), told::add))
                .isNull();

        assertThat(told).containsExactly(why);
    }

    @Test
    void saysWhyAnAnswerThatHadBegunWellIsNotKept() {
        List<NotKept> told = new ArrayList<>();
        AnswerCapture first = store.capture(keys, get("/a"), 0, response(200, 32 * KIB), store.now(), told::add);
        store.capture(keys, get("/b"), 0, response(200, 1), store.now(), told::add)
                .abandon();
        first.abandon();
        first.abandon();
        AnswerCapture chunked =
                store.capture(keys, get("/c"), 0, response(200, BodyLength.CHUNKED), store.now(), told::add);
        chunked.add(Unpooled.wrappedBuffer(new byte[32 * KIB + 1]));
        chunked.complete(null);
        store.capture(keys, get("/d"), 0, response(200, 0), store.now(), told::add)
                .complete(headers("X: 1"));
        AnswerCapture whole = store.capture(keys, get("/e"), 0, response(200, 0), store.now(), told::add);
        whole.complete(null);
        whole.abandon();

        assertThat(told).containsExactly(NotKept.NO_ROOM, NotKept.CUT_SHORT, NotKept.TOO_LONG, NotKept.TRAILERS);
    }
}
