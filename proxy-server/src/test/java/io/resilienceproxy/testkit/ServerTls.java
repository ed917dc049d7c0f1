package io.resilienceproxy.testkit;

import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of TLS, by the JDK.
 *
 * @param protocols in the JDK's words; empty for its defaults
 * @param clients who issues the certificates that callers must show, null where they need none
 */
public record ServerTls(
        SSLContext context,
        List<String> protocols,
        @Nullable X509Bundle clients) {

    public static ServerTls of(X509Bundle certificate, String... protocols) {
        return new ServerTls(context(certificate, null), List.of(protocols), null);
    }

    /** Callers must show a certificate of that authority. */
    public static ServerTls requiring(X509Bundle clients, X509Bundle certificate, String... protocols) {
        return new ServerTls(context(certificate, clients), List.of(protocols), clients);
    }

    private static SSLContext context(X509Bundle certificate, @Nullable X509Bundle clients) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            TrustManager[] trust = clients == null ? null : new TrustManager[] {clients.toTrustManager()};
            context.init(certificate.toKeyManagerFactory().getKeyManagers(), trust, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Begins with the first read or write. */
    Socket secure(Socket raw) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(raw, null, true);
        socket.setUseClientMode(false);
        socket.setNeedClientAuth(clients != null);
        if (!protocols.isEmpty()) {
            socket.setEnabledProtocols(protocols.toArray(String[]::new));
        }
        return socket;
    }
}
