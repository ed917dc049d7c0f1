package io.resilienceproxy.fuzz;

import io.resilienceproxy.testkit.Reply;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.UpstreamRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/**
 * Answers as the target says: {@code /good} ones well, in every framing; {@code /bad} ones with damaged, split, late and
 * broken answers.
 */
final class FuzzUpstream implements ScriptedUpstream.Script {

    static final String GOOD = "/good/";
    static final String BAD = "/bad/";

    private final long seed;

    FuzzUpstream(long seed) {
        this.seed = seed;
    }

    @Override
    public void answer(UpstreamRequest request, Reply reply) throws IOException {
        Random random = new Random(seed ^ request.target().hashCode());
        String answer = wellFormed(request, random);
        if (request.target().startsWith(BAD)) {
            misbehave(answer, reply, random);
            return;
        }
        reply.raw(answer);
        if (answer.endsWith("until close")) {
            reply.close();
        }
    }

    private static String wellFormed(UpstreamRequest request, Random random) {
        String head = "HTTP/1.1 200 OK\r\nX-Target: " + request.target() + "\r\n";
        String body = "y".repeat(random.nextInt(2000));
        if (random.nextInt(6) == 0) {
            head = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + head;
        }
        if (request.method().equals("HEAD")) {
            return head + "Content-Length: " + body.length() + "\r\n\r\n";
        }
        StringBuilder answer = new StringBuilder(head);
        switch (random.nextInt(3)) {
            case 0 ->
                answer.append("Content-Length: ")
                        .append(body.length())
                        .append("\r\n\r\n")
                        .append(body);
            case 1 -> FuzzRequest.chunks(answer.append("Transfer-Encoding: chunked\r\n\r\n"), body, random);
            default -> answer.append("\r\n").append(body).append("until close");
        }
        return answer.toString();
    }

    private static void misbehave(String answer, Reply reply, Random random) {
        String damaged = random.nextInt(4) == 0 ? answer : Mutation.apply(answer, random);
        int cut = random.nextInt(damaged.length() + 1);
        reply.raw(damaged.substring(0, cut));
        if (random.nextBoolean()) {
            reply.pause(Duration.ofMillis(random.nextInt(40)));
        }
        if (random.nextInt(4) > 0) {
            reply.raw(damaged.substring(cut));
        }
        switch (random.nextInt(5)) {
            case 0 -> reply.rst();
            case 1, 2 -> reply.close();
            default -> {}
        }
    }
}
