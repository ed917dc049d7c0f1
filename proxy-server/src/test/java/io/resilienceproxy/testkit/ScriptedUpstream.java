package io.resilienceproxy.testkit;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * An upstream on a loopback port that answers each request by a script and keeps every byte that it received. What it
 * receives must be well-formed: {@link #close} fails the test otherwise, and where a script threw.
 *
 * <p>Scripts run on one thread per connection. Everything else may be called by any thread.
 */
public final class ScriptedUpstream implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Answers one request. */
    @FunctionalInterface
    public interface Script {
        void answer(UpstreamRequest request, Reply reply) throws Exception;
    }

    private final boolean wholeRequests;
    private final int receiveBuffer;
    private final InetAddress address;
    private final @Nullable ServerTls tls;
    private final List<UpstreamConnection> connections = new CopyOnWriteArrayList<>();
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final List<Thread> scriptThreads = new CopyOnWriteArrayList<>();
    private volatile Script script;
    private volatile ServerSocket listener;
    private volatile Thread acceptThread;

    private ScriptedUpstream(
            Script script,
            boolean wholeRequests,
            int receiveBuffer,
            @Nullable ServerTls tls,
            InetAddress address,
            int port) {
        this.script = script;
        this.tls = tls;
        this.wholeRequests = wholeRequests;
        this.receiveBuffer = receiveBuffer;
        this.address = address;
        listener = listen(port);
    }

    /** Starts an upstream whose script is called once a request is whole. */
    public static ScriptedUpstream start(Script script) {
        return startAt("127.0.0.1", 0, script);
    }

    /**
     * Like {@link #start}, at another address of this host.
     *
     * @param port 0 for any
     */
    public static ScriptedUpstream startAt(String address, int port, Script script) {
        try {
            return new ScriptedUpstream(script, true, 0, null, InetAddress.getByName(address), port);
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ScriptedUpstream onLoopback(
            Script script, boolean wholeRequests, int receiveBuffer, @Nullable ServerTls tls) {
        return new ScriptedUpstream(script, wholeRequests, receiveBuffer, tls, InetAddress.getLoopbackAddress(), 0);
    }

    /** Starts one that speaks TLS. */
    public static ScriptedUpstream start(ServerTls tls, Script script) {
        return onLoopback(script, true, 0, tls);
    }

    /** Starts one that speaks TLS and whose script is called behind the head. */
    public static ScriptedUpstream startAtHead(ServerTls tls, Script script) {
        return onLoopback(script, false, 0, tls);
    }

    /** Starts an upstream whose script is called behind the head; {@link Reply#readBody} reads on. */
    public static ScriptedUpstream startAtHead(Script script) {
        return startAtHead(script, 0);
    }

    /** @param receiveBuffer bytes that the kernel may hold for an upstream that does not read; 0 for its default */
    public static ScriptedUpstream startAtHead(Script script, int receiveBuffer) {
        return onLoopback(script, false, receiveBuffer, null);
    }

    /** Changes what the next requests are answered with. */
    public ScriptedUpstream script(Script script) {
        this.script = script;
        return this;
    }

    public int port() {
        return listener.getLocalPort();
    }

    public String url() {
        return (tls == null ? "http" : "https") + "://127.0.0.1:" + port();
    }

    /** The connections that were ever accepted, in that order. */
    public List<UpstreamConnection> connections() {
        return List.copyOf(connections);
    }

    /** @param number counted from 1 */
    public UpstreamConnection connection(int number) {
        await().atMost(PATIENCE).until(() -> connections.size() >= number);
        return connections.get(number - 1);
    }

    /** How many connections neither side has ended. */
    public int openConnections() {
        return (int) connections.stream().filter(UpstreamConnection::isOpen).count();
    }

    /** Every request whose head came in, by connection and then by order. */
    public List<UpstreamRequest> requests() {
        return connections.stream()
                .flatMap(connection -> connection.requests().stream())
                .toList();
    }

    /** Waits for the head of a request that is the only one so far. */
    public UpstreamRequest awaitRequest() {
        await().atMost(PATIENCE).until(() -> !requests().isEmpty());
        List<UpstreamRequest> requests = requests();
        if (requests.size() > 1) {
            throw new AssertionError("one request was expected: " + requests);
        }
        return requests.get(0);
    }

    /**
     * Stops listening: new connections are refused, those that are open stay. The kernel goes on listening for as long as
     * a thread is inside accept, so that thread is waited for.
     */
    public void down() {
        try {
            listener.close();
            acceptThread.join(PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Listens again, on the same port. */
    public void up() {
        listener = listen(port());
    }

    /** Ends the open connections in order. */
    public void closeConnections() {
        connections.forEach(UpstreamConnection::close);
    }

    /** Resets the open connections. */
    public void resetConnections() {
        connections.stream().filter(UpstreamConnection::isOpen).forEach(UpstreamConnection::rst);
    }

    /** What was ill-formed, and what scripts threw. */
    public List<Throwable> faults() {
        return List.copyOf(faults);
    }

    /** For a test that provoked them: {@link #close} will not fail for the faults so far. */
    public void forgiveFaults() {
        faults.clear();
    }

    /** @throws AssertionError where anything ill-formed was received or a script threw */
    @Override
    public void close() {
        down();
        closeConnections();
        joinScripts();
        if (!faults.isEmpty()) {
            AssertionError error = new AssertionError("the upstream received what it must not, or its script failed");
            faults.forEach(error::addSuppressed);
            throw error;
        }
    }

    private ServerSocket listen(int port) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.bind(new InetSocketAddress(address, port), 1024);
            acceptThread = daemon("upstream-accept-" + socket.getLocalPort(), () -> accept(socket));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Socket accepted = socket.accept();
                if (socket.isClosed()) {
                    accepted.close();
                    return;
                }
                Socket secured = tls == null ? accepted : tls.secure(accepted);
                UpstreamConnection connection = new UpstreamConnection(connections.size() + 1, secured, accepted);
                connections.add(connection);
                scriptThreads.add(daemon("upstream-script-" + connection.number(), () -> serve(connection)));
            } catch (IOException closed) {
                continue;
            }
        }
    }

    private void serve(UpstreamConnection connection) {
        try {
            connection.serve(() -> script, wholeRequests);
        } catch (InterruptedException closed) {
            return;
        } catch (Exception | AssertionError fault) {
            faults.add(fault);
        }
    }

    /** What was received but not parsed yet is held against the peer too. */
    private void joinScripts() {
        try {
            for (Thread thread : scriptThreads) {
                thread.interrupt();
                thread.join(PATIENCE.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
