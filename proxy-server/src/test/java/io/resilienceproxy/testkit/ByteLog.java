package io.resilienceproxy.testkit;

import io.resilienceproxy.time.Clock;
import java.io.InputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/**
 * Every byte that a connection received, kept for assertions, and a stream over them for a parser that comes after.
 * Written by one thread, read by any.
 */
final class ByteLog extends InputStream {

    private byte[] bytes = new byte[1024];
    private int size;
    private int position;
    private ConnectionEnd end = ConnectionEnd.OPEN;
    private long deadlineNanos;
    private boolean bounded;

    synchronized void append(byte[] source, int length) {
        if (size + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + length, 2 * bytes.length));
        }
        System.arraycopy(source, 0, bytes, size, length);
        size += length;
        notifyAll();
    }

    /** The first end that is seen stays. */
    synchronized void end(ConnectionEnd how) {
        if (end == ConnectionEnd.OPEN) {
            end = how;
            notifyAll();
        }
    }

    synchronized ConnectionEnd end() {
        return end;
    }

    synchronized byte[] bytes() {
        return Arrays.copyOf(bytes, size);
    }

    /** All that was received, one character per octet. */
    String text() {
        return new String(bytes(), StandardCharsets.ISO_8859_1);
    }

    /** What was received and not yet read, one character per octet. */
    synchronized String unread() {
        return new String(bytes, position, size - position, StandardCharsets.ISO_8859_1);
    }

    /** From here on reads fail with {@link SocketTimeoutException} once that much time has passed in all. */
    synchronized void boundReads(Duration patience) {
        bounded = true;
        deadlineNanos = Clock.SYSTEM.nanoTime() + patience.toNanos();
    }

    @Override
    public synchronized int read() throws SocketException, SocketTimeoutException {
        while (position == size && end == ConnectionEnd.OPEN) {
            if (!waitForChange(bounded ? deadlineNanos - Clock.SYSTEM.nanoTime() : Long.MAX_VALUE)) {
                throw new SocketTimeoutException("nothing arrived in time");
            }
        }
        if (position < size) {
            return bytes[position++] & 0xff;
        }
        if (end == ConnectionEnd.RST) {
            throw new SocketException("reset by peer");
        }
        return -1;
    }

    /** Waits for the connection's end, whether or not its bytes were read. */
    synchronized ConnectionEnd awaitEnd(Duration patience) {
        long deadline = Clock.SYSTEM.nanoTime() + patience.toNanos();
        while (end == ConnectionEnd.OPEN && waitForChange(deadline - Clock.SYSTEM.nanoTime())) {
            continue;
        }
        return end;
    }

    private boolean waitForChange(long nanos) {
        if (nanos <= 0) {
            return false;
        }
        try {
            wait(Math.min(nanos / 1_000_000 + 1, 60_000));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end(ConnectionEnd.CLOSED_HERE);
            return false;
        }
    }
}
