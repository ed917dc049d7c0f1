package io.resilienceproxy.config;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Bytes to text that hides nothing: strict UTF-8, no byte order mark, no control characters, no line breaks that only
 * YAML sees (NEL, LS and PS end a comment in YAML 1.1 but not in an editor), no tabs where indentation counts.
 */
final class SourceText {

    static final int MAX_BYTES = 1024 * 1024;

    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private final Problems problems;
    private int line = 1;
    private int column = 1;
    private boolean indenting = true;
    private int reportedLine;

    private SourceText(Problems problems) {
        this.problems = problems;
    }

    /** Null: reported. */
    static @Nullable String of(byte[] bytes, Problems problems) {
        if (bytes.length > MAX_BYTES) {
            problems.error(Place.START, "the file is too large (expected: at most 1MiB)");
            return null;
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        CharBuffer text = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), text, true);
        text.flip();
        if (result.isError()) {
            SourceText before = new SourceText(problems);
            text.codePoints().forEach(before::advance);
            before.report("not UTF-8 (expected: text in UTF-8)");
            return null;
        }
        return of(text.toString(), problems);
    }

    /** Null: reported. */
    static @Nullable String of(String text, Problems problems) {
        if (text.length() > MAX_BYTES) {
            problems.error(Place.START, "the file is too large (expected: at most 1MiB)");
            return null;
        }
        return new SourceText(problems).isPlain(text) ? text : null;
    }

    private boolean isPlain(String text) {
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (c == '\t' && indenting) {
                report("a tab in the indentation (expected: spaces)");
            } else if (c == BYTE_ORDER_MARK) {
                report("a byte order mark (expected: UTF-8 without one)");
            } else if (!isAllowed(c) || c == '\r' && (i == text.length() || text.charAt(i) != '\n')) {
                report(String.format("the control character U+%04X (expected: visible text)", c));
            }
            advance(c);
        }
        return reportedLine == 0;
    }

    private static boolean isAllowed(int c) {
        if (c < 0x20) {
            return c == '\t' || c == '\n' || c == '\r';
        }
        boolean control = c >= 0x7F && c < 0xA0;
        boolean lineBreak = c == 0x2028 || c == 0x2029;
        boolean notText = c >= 0xD800 && c <= 0xDFFF || c == 0xFFFE || c == 0xFFFF;
        return !control && !lineBreak && !notText;
    }

    private void advance(int c) {
        if (c == '\n') {
            line++;
            column = 1;
            indenting = true;
        } else {
            column++;
            indenting &= c == ' ' || c == '\t';
        }
    }

    /** Once for each line. */
    private void report(String message) {
        if (reportedLine != line) {
            reportedLine = line;
            problems.error(new Place(line, column, KeyPath.ROOT), message);
        }
    }
}
