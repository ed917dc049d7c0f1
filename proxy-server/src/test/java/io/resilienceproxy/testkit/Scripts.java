package io.resilienceproxy.testkit;

import java.util.concurrent.atomic.AtomicInteger;

/** The scripts that most tests need. */
public final class Scripts {

    private Scripts() {}

    /** 200 with a body of "ok". */
    public static ScriptedUpstream.Script ok() {
        return status(200, "ok");
    }

    public static ScriptedUpstream.Script status(int status, String body, String... fields) {
        return (request, reply) -> reply.respond(status, body, fields);
    }

    /** 200 with the request line, the fields as they came and the body. */
    public static ScriptedUpstream.Script echo() {
        return (request, reply) -> {
            StringBuilder echo =
                    new StringBuilder(request.method() + " " + request.target() + " " + request.version() + "\n");
            request.fields().forEach(field -> echo.append(field.name() + ": " + field.value() + "\n"));
            reply.respond(200, echo.append("\n").append(request.bodyText()).toString());
        };
    }

    /** The first requests by one script, all later ones by another. */
    public static ScriptedUpstream.Script first(
            int count, ScriptedUpstream.Script first, ScriptedUpstream.Script then) {
        AtomicInteger seen = new AtomicInteger();
        return (request, reply) -> (seen.getAndIncrement() < count ? first : then).answer(request, reply);
    }

    /** Takes the request and never answers. */
    public static ScriptedUpstream.Script silent() {
        return (request, reply) -> reply.hold();
    }

    /** Takes the request and resets the connection. */
    public static ScriptedUpstream.Script reset() {
        return (request, reply) -> reply.rst();
    }

    /** Takes the request and closes the connection without an answer. */
    public static ScriptedUpstream.Script close() {
        return (request, reply) -> reply.close();
    }
}
