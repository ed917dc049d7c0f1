package io.resilienceproxy.listener;

import io.netty.channel.embedded.EmbeddedChannel;
import io.resilienceproxy.http.RequestDecoder;
import io.resilienceproxy.routing.RouteTable;

/** Puts the inbound pipeline on an embedded channel, for the benchmarks. */
public final class EmbeddedCaller {

    private EmbeddedCaller() {}

    /** Makes the channel a caller's connection on the shared listener; it must be registered and active. */
    public static void install(EmbeddedChannel channel, InboundContext context) {
        RequestDecoder decoder = new RequestDecoder(context.limits().maxHeadBytes());
        channel.pipeline()
                .addLast(decoder)
                .addLast(new InboundConnection(context, RouteTable.SHARED_LISTENER, 0, channel, decoder));
        channel.pipeline().fireChannelActive();
    }
}
