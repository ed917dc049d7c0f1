package io.resilienceproxy.pool;

import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's connections to one url, by endpoint, and the choice between them: the one with fewer outstanding requests
 * of two that are picked at random. Looking at two spreads load nearly as well as looking at all, and does not send
 * everyone to the same one at once.
 *
 * <p>On that loop. With one endpoint there is no choice, and none of this costs anything.
 */
final class Lanes {

    private final IntUnaryOperator random;
    private Lane[] lanes = {};

    /** @param random for a bound above 0, a number from 0 to below it */
    Lanes(IntUnaryOperator random) {
        this.random = random;
    }

    boolean isEmpty() {
        return lanes.length == 0;
    }

    boolean areSeveral() {
        return lanes.length > 1;
    }

    /**
     * Takes up what the endpoints are now.
     *
     * @return the lanes that are gone, with their idle connections
     */
    List<Lane> follow(List<Endpoint> endpoints) {
        Lane[] before = lanes;
        lanes = endpoints.stream().map(endpoint -> lane(before, endpoint)).toArray(Lane[]::new);
        List<Lane> gone = List.of(before).stream()
                .filter(lane -> !endpoints.contains(lane.endpoint))
                .toList();
        gone.forEach(lane -> lane.present = false);
        return gone;
    }

    private static Lane lane(Lane[] before, Endpoint endpoint) {
        for (Lane lane : before) {
            if (lane.endpoint == endpoint) {
                return lane;
            }
        }
        return new Lane(endpoint);
    }

    /**
     * Where the next attempt of an exchange should go: to an endpoint that it has not tried and that is not ejected; else to
     * one that it has not tried; else to any. Null where there are none.
     */
    @Nullable
    Lane choose(@Nullable Tried tried, long nowNanos) {
        if (lanes.length <= 1) {
            return lanes.length == 0 ? null : lanes[0];
        }
        for (Fitness least : Fitness.ALL) {
            Lane chosen = ofTwo(least, tried, nowNanos);
            if (chosen != null) {
                return chosen;
            }
        }
        throw new IllegalStateException("no lane fits");
    }

    private enum Fitness {
        UNTRIED_AND_USABLE,
        UNTRIED,
        ANY;

        static final Fitness[] ALL = values();

        boolean has(Lane lane, @Nullable Tried tried, long nowNanos) {
            return switch (this) {
                case UNTRIED_AND_USABLE -> isUntried(lane, tried) && lane.endpoint.isUsable(nowNanos);
                case UNTRIED -> isUntried(lane, tried);
                case ANY -> true;
            };
        }
    }

    private static boolean isUntried(Lane lane, @Nullable Tried tried) {
        return tried == null || !tried.contains(lane.endpoint);
    }

    private @Nullable Lane ofTwo(Fitness least, @Nullable Tried tried, long nowNanos) {
        int count = 0;
        for (Lane lane : lanes) {
            count += least.has(lane, tried, nowNanos) ? 1 : 0;
        }
        if (count == 0) {
            return null;
        }
        int first = count == 1 ? 0 : random.applyAsInt(count);
        int second = count == 1 ? 0 : (first + 1 + random.applyAsInt(count - 1)) % count;
        Lane one = null;
        Lane other = null;
        int place = 0;
        for (Lane lane : lanes) {
            if (least.has(lane, tried, nowNanos)) {
                one = place == first ? lane : one;
                other = place == second ? lane : other;
                place++;
            }
        }
        return one == null || other != null && other.outstanding < one.outstanding ? other : one;
    }

    /**
     * Where to connect while the connection to another endpoint does not come: the next in the order of RFC 8305 that was
     * not dialled yet, one that is neither tried nor ejected before the others.
     */
    @Nullable
    Lane next(List<Lane> dialled, @Nullable Tried tried, long nowNanos) {
        Lane any = null;
        int start = indexOf(dialled.get(dialled.size() - 1)) + 1;
        for (int i = 0; i < lanes.length; i++) {
            Lane lane = lanes[(start + i) % lanes.length];
            if (dialled.contains(lane)) {
                continue;
            }
            if (isUntried(lane, tried) && lane.endpoint.isUsable(nowNanos)) {
                return lane;
            }
            any = any == null ? lane : any;
        }
        return any;
    }

    private int indexOf(Lane searched) {
        for (int i = 0; i < lanes.length; i++) {
            if (lanes[i] == searched) {
                return i;
            }
        }
        return -1;
    }

    /** Whether this loop knows an endpoint that the exchange has not tried. */
    boolean haveOtherThan(@Nullable Tried tried) {
        for (Lane lane : lanes) {
            if (isUntried(lane, tried)) {
                return true;
            }
        }
        return false;
    }

    /** The one with idle connections that has the fewest outstanding requests, for who can connect nowhere. */
    @Nullable
    Lane withIdle(@Nullable Tried tried, long nowNanos) {
        Lane found = null;
        for (Lane lane : lanes) {
            boolean suits = !lane.idle.isEmpty() && isUntried(lane, tried) && lane.endpoint.isUsable(nowNanos);
            if (suits && (found == null || lane.outstanding < found.outstanding)) {
                found = lane;
            }
        }
        return found;
    }

    /** Where a connection in reserve is missed most; one that is not ejected, while there is one. Null where there are none. */
    @Nullable
    Lane withFewestIdle(long nowNanos) {
        Lane found = null;
        for (Lane lane : lanes) {
            boolean usable = lane.endpoint.isUsable(nowNanos);
            if (found == null || usable && !found.endpoint.isUsable(nowNanos) || usable && ready(lane) < ready(found)) {
                found = lane;
            }
        }
        return found;
    }

    /** Idle, or about to be. */
    private static int ready(Lane lane) {
        return lane.idle.size() + lane.outstanding;
    }

    /** The lane whose oldest idle connection is the oldest of all. */
    @Nullable
    Lane withOldestIdle() {
        Lane found = null;
        for (Lane lane : lanes) {
            if (!lane.idle.isEmpty() && (found == null || oldest(lane) - oldest(found) < 0)) {
                found = lane;
            }
        }
        return found;
    }

    private static long oldest(Lane lane) {
        return lane.idle.getLast().tenure().idleSinceNanos();
    }

    /** All idle connections, in a list of its own. */
    List<Http1Connection> allIdle() {
        return List.of(lanes).stream().flatMap(lane -> lane.idle.stream()).toList();
    }
}
