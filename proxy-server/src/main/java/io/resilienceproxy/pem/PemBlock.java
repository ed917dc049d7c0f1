package io.resilienceproxy.pem;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One block of a PEM file (RFC 7468). What stands outside of blocks is commentary, as openssl writes it.
 *
 * @param label such as {@code CERTIFICATE}
 * @param encrypted it has headers of RFC 1421, which no block has today but a key with a passphrase
 * @param der what it encodes; empty where it is encrypted
 */
record PemBlock(String label, boolean encrypted, byte[] der) {

    private static final String BEGIN = "-----BEGIN ";
    private static final Pattern BLOCK = Pattern.compile("(?s)" + BEGIN + "([A-Z0-9 ]+)-----(.*?)-----END \\1-----");

    /**
     * In the order of the text.
     *
     * @throws IllegalArgumentException saying what is wrong: one is not base64, or has no end
     */
    static List<PemBlock> in(String text) {
        List<PemBlock> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        int end = 0;
        while (block.find()) {
            end = block.end();
            boolean encrypted = block.group(2).indexOf(':') >= 0;
            String base64 = block.group(2).replaceAll("\\s", "");
            blocks.add(new PemBlock(block.group(1), encrypted, encrypted ? new byte[0] : bytes(base64)));
        }
        if (text.indexOf(BEGIN, end) >= 0) {
            throw new IllegalArgumentException("a block in it has no end");
        }
        return blocks;
    }

    private static byte[] bytes(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("something in it is not base64", e);
        }
    }
}
