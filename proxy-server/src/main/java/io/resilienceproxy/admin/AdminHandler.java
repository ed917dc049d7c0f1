package io.resilienceproxy.admin;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.Future;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of one admin connection, on the admin event loop. A connection is closed when it brought no whole
 * request for {@link AdminServer#IDLE_SECONDS}, or took no whole answer: bytes alone do not keep it open. The next
 * request is read when the answer to the last one is written, so that pipelined scrapes cannot pile up in memory.
 */
final class AdminHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private static final Logger LOG = LoggerFactory.getLogger(AdminHandler.class);
    private static final String READ_METHODS = "GET, HEAD";
    private static final String ACT_METHOD = "POST";
    private static final String ABSOLUTE = "http://";

    private final Map<String, AdminView> views;
    private final Map<String, AdminTree> trees;
    private final Map<String, Runnable> actions;
    private @Nullable Future<?> idle;

    AdminHandler(Map<String, AdminView> views, Map<String, AdminTree> trees, Map<String, Runnable> actions) {
        this.views = views;
        this.trees = trees;
        this.actions = actions;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        expectRequest(context);
        context.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        cancelIdle();
        context.fireChannelInactive();
    }

    private void expectRequest(ChannelHandlerContext context) {
        cancelIdle();
        idle = context.executor().schedule(() -> context.close(), AdminServer.IDLE_SECONDS, TimeUnit.SECONDS);
    }

    private void cancelIdle() {
        if (idle != null) {
            idle.cancel(false);
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        expectRequest(context);
        boolean broken = request.decoderResult().isFailure();
        boolean keepAlive = !broken && HttpUtil.isKeepAlive(request);
        HttpVersion version = broken ? HttpVersion.HTTP_1_1 : request.protocolVersion();
        context.channel().config().setAutoRead(false);
        CompletionStage<AdminPage> later = broken ? null : branch(request);
        if (later == null) {
            write(
                    context,
                    allowed(request),
                    broken ? AdminPage.text(400, "bad request") : page(context, request),
                    version,
                    keepAlive);
            return;
        }
        String path = path(request.uri());
        later.whenComplete((page, failure) -> context.executor().execute(() -> {
            if (failure != null) {
                LOG.error("admin page {} failed", path, failure);
            }
            write(
                    context,
                    READ_METHODS,
                    failure == null ? page : AdminPage.text(500, "internal error"),
                    version,
                    keepAlive);
        }));
    }

    private String allowed(FullHttpRequest request) {
        return actions.containsKey(path(request.uri())) ? ACT_METHOD : READ_METHODS;
    }

    private static void write(
            ChannelHandlerContext context, String allowed, AdminPage page, HttpVersion version, boolean keepAlive) {
        FullHttpResponse response = response(page);
        if (response.status().equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
            response.headers().set(HttpHeaderNames.ALLOW, allowed);
        }
        HttpUtil.setKeepAlive(response.headers(), version, keepAlive);
        context.writeAndFlush(response)
                .addListener(
                        keepAlive
                                ? written -> context.channel().config().setAutoRead(true)
                                : ChannelFutureListener.CLOSE);
    }

    /** Null: nothing that comes later is at the path, or the method is not one of reading. */
    private @Nullable CompletionStage<AdminPage> branch(FullHttpRequest request) {
        String path = path(request.uri());
        for (Map.Entry<String, AdminTree> tree : trees.entrySet()) {
            String root = tree.getKey();
            boolean within =
                    path.startsWith(root) && (path.length() == root.length() || path.charAt(root.length()) == '/');
            if (within && isRead(request)) {
                return tree.getValue().render(path.substring(Math.min(path.length(), root.length() + 1)));
            }
            if (within) {
                return CompletableFuture.completedStage(AdminPage.text(405, "read-only: " + READ_METHODS));
            }
        }
        return null;
    }

    private static boolean isRead(FullHttpRequest request) {
        return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
    }

    private AdminPage page(ChannelHandlerContext context, FullHttpRequest request) {
        String path = path(request.uri());
        Runnable action = actions.get(path);
        if (action != null) {
            return act(context, request, path, action);
        }
        AdminView view = views.get(path);
        if (view == null) {
            return AdminPage.text(404, "not found");
        }
        if (!isRead(request)) {
            return AdminPage.text(405, "read-only: " + READ_METHODS);
        }
        try {
            return view.render(request.headers().get(HttpHeaderNames.ACCEPT));
        } catch (RuntimeException bug) {
            LOG.error("admin page {} failed", path, bug);
            return AdminPage.text(500, "internal error");
        }
    }

    private static AdminPage act(ChannelHandlerContext context, FullHttpRequest request, String path, Runnable action) {
        if (!request.method().equals(HttpMethod.POST)) {
            return AdminPage.text(405, ACT_METHOD + " only");
        }
        if (!LocalCaller.is(context.channel().remoteAddress(), request.headers())) {
            return AdminPage.text(403, "for this machine only");
        }
        LOG.info("admin: {}", path);
        action.run();
        return AdminPage.text(202, "done");
    }

    /** Of an origin-form or absolute-form target (RFC 9112 section 3.2). */
    private static String path(String target) {
        int authority = target.startsWith(ABSOLUTE) ? target.indexOf('/', ABSOLUTE.length()) : 0;
        String local = authority < 0 ? "/" : target.substring(authority);
        int query = local.indexOf('?');
        return query < 0 ? local : local.substring(0, query);
    }

    private static FullHttpResponse response(AdminPage page) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(page.status()), Unpooled.wrappedBuffer(page.body()));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, page.contentType())
                .set(HttpHeaderNames.CONTENT_LENGTH, page.body().length)
                .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
        return response;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("admin connection closed", cause);
        context.close();
    }
}
