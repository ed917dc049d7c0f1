package io.resilienceproxy.cli;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** One connection of the {@link DemoUpstream}: answers whole requests as their query says. On its event loop only. */
final class DemoHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private final AtomicLong requests;
    private final DemoMemory memory;

    DemoHandler(AtomicLong requests, DemoMemory memory) {
        this.requests = requests;
        this.memory = memory;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        long number = requests.incrementAndGet();
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        if (request.decoderResult().isFailure()) {
            answer(ctx, number, 400, "malformed request", false);
            return;
        }
        DemoRequest asked;
        try {
            asked = DemoRequest.of(request.uri());
        } catch (IllegalArgumentException e) {
            answer(ctx, number, 400, e.getMessage(), keepAlive);
            return;
        }
        // Counted when the request arrives: a delayed answer must not change which of its key's requests it is.
        int status = asked.failFirst() > 0 && memory.count(asked.key()) <= asked.failFirst() ? 503 : asked.status();
        if (asked.delayMillis() == 0) {
            act(ctx, asked, number, status, keepAlive);
        } else {
            ctx.executor()
                    .schedule(
                            () -> act(ctx, asked, number, status, keepAlive),
                            asked.delayMillis(),
                            TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }

    private static void act(ChannelHandlerContext ctx, DemoRequest asked, long number, int status, boolean keepAlive) {
        if (asked.dead()) {
            ctx.channel().config().setOption(ChannelOption.SO_LINGER, 0);
            ctx.close();
        } else if (!asked.hold()) {
            answer(ctx, number, status, status < 400 ? "ok" : "failed as asked", keepAlive);
        }
    }

    private static void answer(ChannelHandlerContext ctx, long number, int status, String message, boolean keepAlive) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(status),
                ctx.alloc().buffer());
        response.headers().set("X-Demo-Request", number);
        if (status != 204 && status != 304) {
            String body =
                    "{\"request\":" + number + ",\"status\":" + status + ",\"message\":\"" + json(message) + "\"}\n";
            ByteBufUtil.writeUtf8(response.content(), body);
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
            response.headers()
                    .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
        }
        HttpUtil.setKeepAlive(response, keepAlive);
        var written = ctx.writeAndFlush(response);
        if (!keepAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Messages may quote what the user typed. */
    private static String json(String text) {
        StringBuilder escaped = new StringBuilder();
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\' || c < ' ') {
                escaped.append("\\u%04x".formatted(c));
            } else {
                escaped.append((char) c);
            }
        });
        return escaped.toString();
    }
}
