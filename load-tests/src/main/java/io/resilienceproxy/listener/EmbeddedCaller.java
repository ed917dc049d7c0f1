package io.resilienceproxy.listener;

import io.netty.channel.embedded.EmbeddedChannel;
import io.resilienceproxy.http.RequestDecoder;

/** Puts the inbound pipeline on an embedded channel, for the benchmarks. */
public final class EmbeddedCaller {

    private EmbeddedCaller() {}

    /**
     * Makes the channel a caller's connection; it must be registered and active.
     *
     * @param port the listener's, as the policy names it
     */
    public static void install(EmbeddedChannel channel, InboundContext context, int port) {
        RequestDecoder decoder = new RequestDecoder(context.limits().maxHeadBytes());
        channel.pipeline()
                .addLast(decoder)
                .addLast(new InboundConnection(context, new DataListener(context, port), 0, channel, decoder));
        channel.pipeline().fireChannelActive();
    }
}
