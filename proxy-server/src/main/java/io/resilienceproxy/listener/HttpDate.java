package io.resilienceproxy.listener;

import io.netty.handler.codec.DateFormatter;
import io.netty.util.AsciiString;
import java.util.Date;

/** One second in the preferred form of RFC 9110 section 5.6.7. */
record HttpDate(long epochSecond, AsciiString text) {

    static HttpDate of(long epochSecond) {
        return new HttpDate(epochSecond, new AsciiString(DateFormatter.format(new Date(epochSecond * 1000))));
    }
}
