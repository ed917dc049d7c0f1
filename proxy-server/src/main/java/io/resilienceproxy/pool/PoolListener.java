package io.resilienceproxy.pool;

/**
 * What a pool reports that no attempt does. Called on event loops, from several at once: an implementation is thread-safe
 * and must neither block nor throw.
 */
public interface PoolListener {

    PoolListener NONE = new PoolListener() {
        @Override
        public void onEjected(Endpoint endpoint) {}

        @Override
        public void onLookedUp(boolean answered) {}
    };

    /** An endpoint will be passed over for a time. */
    void onEjected(Endpoint endpoint);

    /** The addresses of the url's host were looked up. @param answered false: what was known before still holds */
    void onLookedUp(boolean answered);
}
