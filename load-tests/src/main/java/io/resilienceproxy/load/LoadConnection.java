package io.resilienceproxy.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/** One keep-alive connection with at most one request on it. On its event loop. */
final class LoadConnection extends ChannelInboundHandlerAdapter {

    private final LoadStream stream;
    private final ResponseScanner scanner = new ResponseScanner();
    private @Nullable ChannelHandlerContext context;
    private @Nullable ByteBuf rest;
    private boolean busy;
    private long dueNanos;

    LoadConnection(LoadStream stream) {
        this.stream = stream;
    }

    boolean isBusy() {
        return busy;
    }

    long dueNanos() {
        return dueNanos;
    }

    /** @param due when the request should have been sent, which is what its latency is counted from */
    void send(ByteBuf request, long due) {
        if (context == null) {
            throw new IllegalStateException("not connected");
        }
        busy = true;
        dueNanos = due;
        context.writeAndFlush(request, context.voidPromise());
    }

    void close() {
        if (context != null) {
            context.close();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        context = ctx;
        if (stream.isRunning()) {
            stream.onIdle(this);
        } else {
            ctx.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = join(ctx.alloc(), (ByteBuf) message);
        boolean complete;
        try {
            complete = scanner.scan(in);
        } catch (IllegalArgumentException e) {
            stream.onFault(e);
            in.release();
            ctx.close();
            return;
        }
        rest = in.isReadable() ? in : null;
        if (rest == null) {
            in.release();
        }
        if (complete) {
            busy = false;
            stream.onResponse(scanner.status(), dueNanos);
            if (scanner.isLast()) {
                ctx.close();
            } else {
                stream.onIdle(this);
            }
        }
    }

    private ByteBuf join(ByteBufAllocator alloc, ByteBuf piece) {
        ByteBuf before = rest;
        rest = null;
        return before == null ? piece : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(alloc, before, piece);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (rest != null) {
            rest.release();
            rest = null;
        }
        if (busy) {
            busy = false;
            stream.onBroken(dueNanos);
        }
        stream.onClosed(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
