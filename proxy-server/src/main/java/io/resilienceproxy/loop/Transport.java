package io.resilienceproxy.loop;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * The way to the sockets: native epoll where its library is there, else NIO.
 *
 * @param name for the start-up line
 */
public record Transport(
        String name,
        IoHandlerFactory ioHandlers,
        Class<? extends ServerSocketChannel> serverChannel,
        Class<? extends SocketChannel> socketChannel,
        Class<? extends DatagramChannel> datagramChannel) {

    public static Transport best() {
        return Epoll.isAvailable() ? epoll() : nio();
    }

    public static Transport nio() {
        return new Transport(
                "nio",
                NioIoHandler.newFactory(),
                NioServerSocketChannel.class,
                NioSocketChannel.class,
                NioDatagramChannel.class);
    }

    private static Transport epoll() {
        return new Transport(
                "epoll",
                EpollIoHandler.newFactory(),
                EpollServerSocketChannel.class,
                EpollSocketChannel.class,
                EpollDatagramChannel.class);
    }

    /** The caller shuts the group down. */
    public EventLoopGroup newGroup(int threads, String threadName) {
        return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(threadName, true), ioHandlers);
    }
}
