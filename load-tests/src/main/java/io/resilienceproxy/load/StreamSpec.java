package io.resilienceproxy.load;

import java.util.List;

/**
 * One stream of requests.
 *
 * @param name in the report
 * @param connections kept alive, one request on each at a time
 * @param perSecond requests at a constant rate whatever the answers do; 0: the next one as soon as an answer is complete
 * @param paths taken in turn
 * @param port where it goes
 */
record StreamSpec(String name, int connections, double perSecond, List<String> paths, int port) {

    private static final int PARTS = 4;

    /**
     * @param text {@code name;connections;perSecond;path,path} or {@code name;connections;perSecond;path,path;port}
     * @param port where the text names none
     */
    static StreamSpec parse(String text, int port) {
        String[] parts = text.split(";");
        if (parts.length < PARTS || parts.length > PARTS + 1) {
            throw new IllegalArgumentException(text + " (expected: name;connections;perSecond;path,path[;port])");
        }
        return new StreamSpec(
                parts[0],
                Integer.parseInt(parts[1]),
                Double.parseDouble(parts[2]),
                List.of(parts[3].split(",")),
                parts.length > PARTS ? Integer.parseInt(parts[PARTS]) : port);
    }

    boolean isOpenLoop() {
        return perSecond > 0;
    }
}
