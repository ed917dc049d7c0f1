package io.resilienceproxy.http;

import io.netty.util.AsciiString;

/**
 * What of a request head is the route's and not the caller's, ready to be written. One per route, shared.
 *
 * @param basePath in front of the forwarded path; empty, or starts with {@code /} and does not end with one
 * @param authority the value of Host
 * @param deadlineField name of the field that tells the upstream how many milliseconds remain
 */
public record RequestRewrite(AsciiString basePath, AsciiString authority, AsciiString deadlineField) {}
