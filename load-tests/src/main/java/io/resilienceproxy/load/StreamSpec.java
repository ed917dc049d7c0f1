package io.resilienceproxy.load;

import java.util.List;

/**
 * One stream of requests.
 *
 * @param name in the report
 * @param connections kept alive, one request on each at a time
 * @param perSecond requests at a constant rate whatever the answers do; 0: the next one as soon as an answer is complete
 * @param paths taken in turn
 */
record StreamSpec(String name, int connections, double perSecond, List<String> paths) {

    /** @param text {@code name;connections;perSecond;path,path} */
    static StreamSpec parse(String text) {
        String[] parts = text.split(";");
        if (parts.length != 4) {
            throw new IllegalArgumentException(text + " (expected: name;connections;perSecond;path,path)");
        }
        return new StreamSpec(
                parts[0], Integer.parseInt(parts[1]), Double.parseDouble(parts[2]), List.of(parts[3].split(",")));
    }

    boolean isOpenLoop() {
        return perSecond > 0;
    }
}
