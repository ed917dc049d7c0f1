package io.resilienceproxy.exchange;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.resilienceproxy.policy.Priority;

/**
 * The urgency that a request names in {@code Priority: u=1} (RFC 9218 section 4.1): 0 to 2 is high, 3 normal, 4 to 7 low.
 * A caller knows best which of its requests somebody waits for, so its word counts before the route's. What is no urgency
 * is ignored, as the RFC says.
 */
final class Urgency {

    private static final AsciiString PRIORITY = AsciiString.cached("Priority");
    private static final int NORMAL = 3;

    private Urgency() {}

    /** @param otherwise for a request that names none */
    static Priority of(HttpHeaders request, Priority otherwise) {
        if (!request.contains(PRIORITY)) {
            return otherwise;
        }
        // The last member of a dictionary's key counts (RFC 8941 section 3.2), over several lines as in one.
        Priority named = otherwise;
        for (String line : request.getAll(PRIORITY)) {
            for (String member : line.split(",")) {
                named = urgency(member, named);
            }
        }
        return named;
    }

    /** {@code u=} and one digit, perhaps with parameters. */
    private static Priority urgency(String text, Priority before) {
        String member = text.strip();
        boolean isUrgency = member.length() >= 3
                && member.startsWith("u=")
                && member.charAt(2) >= '0'
                && member.charAt(2) <= '7'
                && (member.length() == 3 || member.charAt(3) == ';');
        if (!isUrgency) {
            return before;
        }
        int urgency = member.charAt(2) - '0';
        if (urgency == NORMAL) {
            return Priority.NORMAL;
        }
        return urgency < NORMAL ? Priority.HIGH : Priority.LOW;
    }
}
