package io.resilienceproxy.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.jspecify.annotations.Nullable;

/** A client of somebody else's. */
enum ClientPeer {
    CURL {
        @Override
        Answer exchange(Path directory, String method, URI uri, byte @Nullable [] body, boolean chunked) {
            Programs.need("curl", "curl");
            List<String> command = new ArrayList<>(List.of("curl", "-sS", "-w", "\\n%{http_code}"));
            command.addAll(method.equals("HEAD") ? List.of("-I") : List.of("-X", method));
            if (body != null) {
                command.addAll(List.of("--data-binary", "@" + file(directory, body)));
                command.addAll(chunked ? List.of("-H", "Transfer-Encoding: chunked") : List.of());
            }
            command.add(uri.toString());
            return statusBehindBody(Programs.output(command), method);
        }

        private Answer statusBehindBody(byte[] output, String method) {
            String text = new String(output, StandardCharsets.ISO_8859_1);
            int split = text.lastIndexOf('\n');
            String content = method.equals("HEAD") ? "" : text.substring(0, split);
            int status = Integer.parseInt(text.substring(split + 1).trim());
            return new Answer(status, content.getBytes(StandardCharsets.ISO_8859_1));
        }
    },
    JAVA_HTTP_CLIENT {
        @Override
        Answer exchange(Path directory, String method, URI uri, byte @Nullable [] body, boolean chunked) {
            BodyPublisher publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
            if (body != null && chunked) {
                publisher = BodyPublishers.fromPublisher(publisher);
            }
            try {
                var response = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()
                        .send(
                                HttpRequest.newBuilder(uri)
                                        .method(method, publisher)
                                        .build(),
                                BodyHandlers.ofByteArray());
                return new Answer(response.statusCode(), response.body());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    },
    APACHE_HTTP_CLIENT_5 {
        @Override
        Answer exchange(Path directory, String method, URI uri, byte @Nullable [] body, boolean chunked) {
            HttpUriRequestBase request = new HttpUriRequestBase(method, uri);
            if (body != null) {
                request.setEntity(new ByteArrayEntity(body, null, null, chunked));
            }
            try (CloseableHttpClient client = HttpClients.createDefault()) {
                return client.execute(request, response -> {
                    byte[] content =
                            response.getEntity() == null ? new byte[0] : EntityUtils.toByteArray(response.getEntity());
                    return new Answer(response.getCode(), content);
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    },
    NODE_FETCH {
        @Override
        Answer exchange(Path directory, String method, URI uri, byte @Nullable [] body, boolean chunked) {
            return script("node", "nodejs", "client.mjs", directory, method, uri, body, chunked);
        }
    },
    PYTHON_HTTP_CLIENT {
        @Override
        Answer exchange(Path directory, String method, URI uri, byte @Nullable [] body, boolean chunked) {
            return script("python3", "python3", "client.py", directory, method, uri, body, chunked);
        }
    };

    /** @param directory for files that it needs */
    abstract Answer exchange(Path directory, String method, URI uri, byte @Nullable [] body, boolean chunked);

    private static Answer script(
            String program,
            String debianPackage,
            String script,
            Path directory,
            String method,
            URI uri,
            byte @Nullable [] body,
            boolean chunked) {
        Programs.need(program, debianPackage);
        List<String> command = new ArrayList<>(
                List.of(program, Programs.script(script, directory).toString(), method, uri.toString()));
        if (body != null) {
            command.add(file(directory, body).toString());
            command.addAll(chunked ? List.of("chunked") : List.of());
        }
        return Answer.printed(Programs.output(command));
    }

    private static Path file(Path directory, byte[] body) {
        try {
            return Files.write(directory.resolve("body"), body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
