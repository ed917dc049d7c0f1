package io.resilienceproxy.peers;

import io.resilienceproxy.testkit.FreePort;
import io.resilienceproxy.testkit.Nginx;
import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.websockets.core.AbstractReceiveListener;
import io.undertow.websockets.core.BufferedTextMessage;
import io.undertow.websockets.core.WebSocketChannel;
import io.undertow.websockets.core.WebSockets;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A server of somebody else's. All but nginx answer with the size and the SHA-256 of the body that they got.
 */
public enum UpstreamPeer {
    NGINX {
        @Override
        public Running start(Path directory) {
            Nginx nginx = Nginx.start(directory);
            return new Running(nginx.port(), nginx::close);
        }
    },
    NODE_HTTP {
        @Override
        public Running start(Path directory) {
            Programs.need("node", "nodejs");
            return script("node", "upstream.js", directory);
        }
    },
    PYTHON_HTTP_SERVER {
        @Override
        public Running start(Path directory) {
            Programs.need("python3", "python3");
            return script("python3", "upstream.py", directory);
        }
    },
    UNDERTOW {
        @Override
        public Running start(Path directory) {
            int port = FreePort.find();
            Undertow server = Undertow.builder()
                    .addHttpListener(port, "127.0.0.1")
                    .setHandler(UpstreamPeer::serve)
                    .build();
            server.start();
            return new Running(port, server::stop);
        }
    };

    /** Until it is closed. */
    public record Running(int port, Runnable stop) implements AutoCloseable {
        @Override
        public void close() {
            stop.run();
        }
    }

    /** @param directory for files that it needs */
    public abstract Running start(Path directory);

    boolean describesTheBody() {
        return this != NGINX;
    }

    private static Running script(String program, String script, Path directory) {
        try {
            Process process = new ProcessBuilder(
                            program, Programs.script(script, directory).toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            BufferedReader output = process.inputReader(StandardCharsets.US_ASCII);
            return new Running(Integer.parseInt(output.readLine()), process::destroyForcibly);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void serve(HttpServerExchange exchange) throws Exception {
        if (exchange.getRequestHeaders().contains(Headers.UPGRADE)) {
            Handlers.websocket((ignored, channel) -> echo(channel)).handleRequest(exchange);
            return;
        }
        exchange.getResponseHeaders()
                .put(new HttpString("X-Method"), exchange.getRequestMethod().toString());
        exchange.getRequestReceiver()
                .receiveFullBytes(
                        (received, bytes) -> received.getResponseSender().send(description(bytes)));
    }

    private static void echo(WebSocketChannel channel) {
        channel.getReceiveSetter().set(new AbstractReceiveListener() {
            @Override
            protected void onFullTextMessage(WebSocketChannel from, BufferedTextMessage message) {
                WebSockets.sendText(message.getData(), from, null);
            }
        });
        channel.resumeReceives();
    }

    static String description(byte[] body) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(body);
            return body.length + " " + HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
