package io.resilienceproxy.cli;

import io.resilienceproxy.time.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Asks a running proxy whether it is ready, for health checks in images that have neither shell nor curl. Exit code 0 when it
 * is, 1 when it is not or does not answer within 2 s; with {@code --wait}, when it has not become ready by then.
 *
 * <p>Where it listens is told by an option or the environment, never read from the policy file: a file that is being edited
 * must not make a healthy process look sick. Plain sockets, because an HTTP client would take longer to load than to ask.
 */
@Command(
        name = "ping",
        description = "Asks a running proxy whether it is ready: exit code 0 when it is, 1 when not.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class)
final class PingCommand implements Callable<Integer> {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The answer is a line; whatever else listens there is not waited for. */
    private static final int MAX_ANSWER_BYTES = 8192;

    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]\\s]+):([0-9]{1,5})");
    private static final int HIGHEST_PORT = 65_535;
    private static final Pattern ANSWER = Pattern.compile("(?s)HTTP/1\\.[01] ([0-9]{3}) .*?\r\n\r\n([^\r\n]*).*");

    private static final Pattern SECONDS = Pattern.compile("([0-9]{1,4})s");
    private static final long PAUSE_MILLIS = 100;

    private final Clock clock = Clock.SYSTEM;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            defaultValue = "${env:RESILIENCE_PROXY_ADMIN:-127.0.0.1:9480}",
            description = "Where its admin listener can be reached (default: the environment's RESILIENCE_PROXY_ADMIN,"
                    + " else 127.0.0.1:9480).")
    private String admin = "";

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "0s",
            description = "How long to ask again while it is not ready, in seconds, such as 30s (default: once).")
    private String wait = "";

    @Override
    public Integer call() throws InterruptedException {
        Matcher address = ADDRESS.matcher(admin);
        if (!address.matches() || port(address) > HIGHEST_PORT) {
            throw new ParameterException(
                    spec.commandLine(), "--admin: " + admin + " (expected: host:port, such as 127.0.0.1:9480)");
        }
        Matcher seconds = SECONDS.matcher(wait);
        if (!seconds.matches()) {
            throw new ParameterException(spec.commandLine(), "--wait: " + wait + " (expected: seconds, such as 30s)");
        }
        String whyNot = askUntil(address, TimeUnit.SECONDS.toNanos(Integer.parseInt(seconds.group(1))));
        if (whyNot == null) {
            spec.commandLine().getOut().println(admin + ": ready");
            return ExitCode.OK;
        }
        spec.commandLine().getErr().println("resilience-proxy: " + admin + ": " + whyNot);
        return ExitCode.SOFTWARE;
    }

    private @Nullable String askUntil(Matcher address, long nanos) throws InterruptedException {
        long end = clock.nanoTime() + nanos;
        CountDownLatch never = new CountDownLatch(1);
        String whyNot = ask(address.group(1), port(address));
        while (whyNot != null && clock.nanoTime() - end < 0) {
            never.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            whyNot = ask(address.group(1), port(address));
        }
        return whyNot;
    }

    private static int port(Matcher address) {
        return Integer.parseInt(address.group(2));
    }

    /** @return why it is not ready; null where it is */
    private @Nullable String ask(String host, int port) {
        long end = clock.nanoTime() + PATIENCE_NANOS;
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            return "there is no such host";
        }
        try (Socket socket = new Socket(Proxy.NO_PROXY)) {
            socket.connect(address, millisUntil(end));
            socket.getOutputStream()
                    .write(("GET /readyz HTTP/1.1\r\nHost: " + admin + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            return judge(readAnswer(socket, end));
        } catch (SocketTimeoutException e) {
            return "no answer within 2 s";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private String readAnswer(Socket socket, long end) throws IOException {
        byte[] answer = new byte[MAX_ANSWER_BYTES];
        int length = 0;
        InputStream in = socket.getInputStream();
        while (length < answer.length) {
            socket.setSoTimeout(millisUntil(end));
            int read = in.read(answer, length, answer.length - length);
            if (read < 0) {
                break;
            }
            length += read;
        }
        return new String(answer, 0, length, StandardCharsets.UTF_8);
    }

    /** At least 1, because 0 means for ever to a socket. */
    private int millisUntil(long end) throws SocketTimeoutException {
        long millis = TimeUnit.NANOSECONDS.toMillis(end - clock.nanoTime());
        if (millis <= 0) {
            throw new SocketTimeoutException();
        }
        return (int) millis;
    }

    private static @Nullable String judge(String answer) {
        Matcher parts = ANSWER.matcher(answer);
        if (!parts.matches()) {
            return "the answer is not one of a proxy's admin listener";
        }
        if (parts.group(1).equals("200")) {
            return parts.group(2).equals("ready") ? null : "the answer is not one of a proxy's admin listener";
        }
        return parts.group(1).equals("503") ? parts.group(2) : "status " + parts.group(1);
    }
}
