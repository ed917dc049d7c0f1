package io.resilienceproxy.pem;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** As much of DER (X.690) as a private key's envelope needs. */
final class Der {

    static final byte[] ZERO = {0x02, 0x01, 0x00};
    static final byte[] NULL = {0x05, 0x00};

    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;
    private static final int OID = 0x06;

    /** A length below it is one byte; above, the low bits say how many bytes of length follow. */
    private static final int LONG_FORM = 0x80;

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return element(SEQUENCE, parts);
    }

    static byte[] octets(byte[] content) {
        return element(OCTET_STRING, content);
    }

    /** @param content the encoded arcs */
    static byte[] oid(int... content) {
        byte[] bytes = new byte[content.length];
        for (int i = 0; i < content.length; i++) {
            bytes[i] = (byte) content[i];
        }
        return element(OID, bytes);
    }

    private static byte[] element(int tag, byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
        out.write(tag);
        if (length < LONG_FORM) {
            out.write(length);
        } else {
            int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / 8;
            out.write(LONG_FORM | bytes);
            for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
                out.write(length >>> shift);
            }
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** The content of the first element with that tag directly inside a sequence; null where there is none. */
    static byte @Nullable [] inSequence(byte[] der, int tag) {
        int[] outer = header(der, 0, der.length);
        if (outer == null || (der[0] & 0xff) != SEQUENCE) {
            return null;
        }
        int position = outer[0];
        int end = outer[0] + outer[1];
        while (position < end) {
            int[] inner = header(der, position, end);
            if (inner == null) {
                return null;
            }
            if ((der[position] & 0xff) == tag) {
                return Arrays.copyOfRange(der, inner[0], inner[0] + inner[1]);
            }
            position = inner[0] + inner[1];
        }
        return null;
    }

    /** Where the content of the element at that position starts, and its length; null where it does not fit. */
    private static int @Nullable [] header(byte[] der, int position, int end) {
        if (position + 2 > end) {
            return null;
        }
        int length = der[position + 1] & 0xff;
        int start = position + 2;
        if (length >= LONG_FORM) {
            int bytes = length - LONG_FORM;
            if (bytes == 0 || bytes > 3 || start + bytes > end) {
                return null;
            }
            length = 0;
            for (int i = 0; i < bytes; i++) {
                length = length << 8 | der[start++] & 0xff;
            }
        }
        return length > end - start ? null : new int[] {start, length};
    }
}
