package io.resilienceproxy.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One connection of a caller: some requests, damaged or not, in pieces, with pauses; then it waits for its answers, or
 * leaves in one of the ways in which callers do.
 */
final class FuzzCaller {

    /** Longer than every timeout of the policy together. */
    private static final Duration NO_HANG = Duration.ofSeconds(20);

    private final Random random;
    private final List<FuzzRequest> requests = new ArrayList<>();
    private final boolean damaged;
    private final CountDownLatch never = new CountDownLatch(1);

    FuzzCaller(long seed, String id) {
        this.random = new Random(seed);
        this.damaged = random.nextInt(10) < 6;
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            String kind = random.nextInt(3) == 0 ? FuzzUpstream.BAD : FuzzUpstream.GOOD;
            requests.add(FuzzRequest.random(kind + id + "-" + i, random, i == count - 1));
        }
    }

    void run(int port) throws InterruptedException {
        StringBuilder bytes = new StringBuilder();
        requests.forEach(request -> bytes.append(request.bytes()));
        String sent = damaged ? Mutation.apply(bytes.toString(), random) : bytes.toString();
        try (RawClient client = RawClient.connect(port).patience(NO_HANG)) {
            send(client, sent);
            if (damaged) {
                leave(client);
            } else {
                readAll(client);
            }
        }
    }

    private void send(RawClient client, String bytes) throws InterruptedException {
        int at = 0;
        while (at < bytes.length()) {
            int size = Math.min(bytes.length() - at, 1 + random.nextInt(random.nextBoolean() ? 40 : 100_000));
            try {
                client.send(bytes.substring(at, at + size));
            } catch (RuntimeException closedMeanwhile) {
                return;
            }
            at += size;
            if (random.nextInt(8) == 0) {
                never.await(random.nextInt(15), TimeUnit.MILLISECONDS);
            }
        }
    }

    private void leave(RawClient client) {
        switch (random.nextInt(4)) {
            case 0 -> client.rst();
            case 1 -> {}
            default ->
                assertThat(client.isClosedByPeer(NO_HANG))
                        .as("damaged, and left open")
                        .isTrue();
        }
    }

    /** Requests that were whole: their answers come in order, none is another's. */
    private void readAll(RawClient client) {
        for (FuzzRequest request : requests) {
            RawResponse response;
            try {
                response = client.readFinalResponse(request.method());
            } catch (RuntimeException | AssertionError cutOff) {
                assertThat(client.isClosedByPeer(NO_HANG))
                        .as("no answer, and left open: %s", cutOff)
                        .isTrue();
                return;
            }
            boolean good = request.target().startsWith(FuzzUpstream.GOOD);
            if (good) {
                assertThat(response.status())
                        .as("%s: %s", request.target(), response.bodyText())
                        .isEqualTo(200);
                assertThat(response.complete()).as("%s", request.target()).isTrue();
            }
            String target = response.field("X-Target");
            assertThat(target == null || target.equals(request.target()) || !good)
                    .as("%s was given the answer of %s", request.target(), target)
                    .isTrue();
            if (!response.complete() || "close".equals(response.field("Connection"))) {
                return;
            }
        }
    }
}
