package io.resilienceproxy.exchange;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;

/** Opens {@link CallerDeadline} to the benchmarks. */
public final class CallerDeadlines {

    private CallerDeadlines() {}

    /** As {@link CallerDeadline#read}. */
    public static long read(HttpHeaders fields, AsciiString name) {
        return CallerDeadline.read(fields, name);
    }
}
