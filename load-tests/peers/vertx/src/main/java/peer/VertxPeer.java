package peer;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.httpproxy.HttpProxy;
import io.vertx.httpproxy.OriginRequestProvider;
import io.vertx.httpproxy.ProxyContext;
import io.vertx.httpproxy.ProxyInterceptor;
import io.vertx.httpproxy.ProxyResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Vert.x http-proxy on one event loop, as it comes: it relays, and protects nobody. Arguments: the port, and a file of lines
 * {@code name port}, the upstreams on loopback by their first path segment.
 */
public final class VertxPeer extends VerticleBase {

    private final int port;
    private final Map<String, SocketAddress> upstreams;

    private VertxPeer(int port, Map<String, SocketAddress> upstreams) {
        this.port = port;
        this.upstreams = upstreams;
    }

    public static void main(String[] args) throws Exception {
        Map<String, SocketAddress> upstreams = new HashMap<>();
        for (String line : Files.readAllLines(Path.of(args[1]))) {
            String[] words = line.split(" ");
            upstreams.put(words[0], SocketAddress.inetSocketAddress(Integer.parseInt(words[1]), "127.0.0.1"));
        }
        Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true))
                .deployVerticle(new VertxPeer(Integer.parseInt(args[0]), upstreams), new DeploymentOptions());
    }

    @Override
    public Future<?> start() {
        HttpClient client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setConnectTimeout(500)
                        .setKeepAliveTimeout(300)
                        .setReadIdleTimeout(2),
                new PoolOptions().setHttp1MaxSize(80).setMaxWaitQueueSize(64));
        HttpProxy proxy = HttpProxy.reverseProxy(client);
        proxy.origin(OriginRequestProvider.selector(this::origin));
        proxy.addInterceptor(new StripPrefix());
        return vertx.createHttpServer().requestHandler(proxy).listen(port, "127.0.0.1");
    }

    private Future<SocketAddress> origin(ProxyContext context) {
        String target = context.request().proxiedRequest().uri();
        SocketAddress upstream = upstreams.get(target.substring(1, target.indexOf('/', 1)));
        return upstream == null ? Future.failedFuture("no upstream") : Future.succeededFuture(upstream);
    }

    private static final class StripPrefix implements ProxyInterceptor {
        @Override
        public Future<ProxyResponse> handleProxyRequest(ProxyContext context) {
            String target = context.request().getURI();
            context.request().setURI(target.substring(target.indexOf('/', 1)));
            return context.sendRequest();
        }
    }
}
