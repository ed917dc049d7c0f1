package io.resilienceproxy.admin;

import java.nio.charset.StandardCharsets;

/**
 * One answer of the admin listener.
 *
 * @param status the HTTP status code
 * @param contentType of the body
 * @param body not changed any more once it is here
 */
public record AdminPage(int status, String contentType, byte[] body) {

    /** YAML in UTF-8, as it is. */
    public static AdminPage yaml(String text) {
        return new AdminPage(200, "text/yaml; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    /** JSON, as it is. */
    public static AdminPage json(int status, String json) {
        return new AdminPage(status, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    /** Plain text in UTF-8; a line break is added. */
    public static AdminPage text(int status, String text) {
        return new AdminPage(status, "text/plain; charset=utf-8", (text + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
