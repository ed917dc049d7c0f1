package io.resilienceproxy.http;

import io.netty.util.AsciiString;
import java.util.List;

/** Which fields are not forwarded because they belong to one hop or to the framing that is written anew. */
final class HopByHop {

    private HopByHop() {}

    /** Known ones, by their length first: no field of another length is ever compared. */
    static boolean isKnown(CharSequence name) {
        return switch (name.length()) {
            case 2 -> is("te", name);
            case 7 -> is("upgrade", name);
            case 10 -> is("connection", name) || is("keep-alive", name);
            case 14 -> is("http2-settings", name);
            case 16 -> is("proxy-connection", name);
            case 17 -> is("transfer-encoding", name);
            default -> false;
        };
    }

    static boolean isNominated(List<String> nominated, CharSequence name) {
        for (int i = 0; i < nominated.size(); i++) {
            if (is(nominated.get(i), name)) {
                return true;
            }
        }
        return false;
    }

    static boolean isContentLength(CharSequence name) {
        return name.length() == 14 && is("content-length", name);
    }

    static boolean is(String lowerCase, CharSequence name) {
        return AsciiString.contentEqualsIgnoreCase(lowerCase, name);
    }
}
