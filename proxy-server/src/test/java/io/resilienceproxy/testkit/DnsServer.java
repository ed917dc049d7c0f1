package io.resilienceproxy.testkit;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A name server on a loopback port (RFC 1035, UDP) whose answers a test changes as it goes. A name that it was not told of
 * does not exist. Everything may be called by any thread.
 */
public final class DnsServer implements AutoCloseable {

    private static final String PROPERTY = "resilience-proxy.dns.servers";
    private static final int HEADER = 12;
    private static final int A = 1;
    private static final int CNAME = 5;
    private static final int AAAA = 28;
    private static final int SERVFAIL = 2;
    private static final int NXDOMAIN = 3;

    private final DatagramSocket socket;
    private final Map<String, Zone> zones = new ConcurrentHashMap<>();
    private final List<String> queries = new CopyOnWriteArrayList<>();
    private final AtomicInteger drops = new AtomicInteger();
    private volatile boolean silent;
    private volatile boolean failing;

    /** @param alias the canonical name that the addresses belong to; empty: the name itself */
    private record Zone(String alias, int aliasTtl, int ttl, List<InetAddress> addresses) {}

    private DnsServer(DatagramSocket socket) {
        this.socket = socket;
        Thread thread = new Thread(this::serve, "dns-server");
        thread.setDaemon(true);
        thread.start();
    }

    public static DnsServer start() {
        try {
            return new DnsServer(new DatagramSocket(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    /** Makes something that asks this server for every name. */
    public <T> T use(Supplier<T> made) {
        System.setProperty(PROPERTY, "127.0.0.1:" + socket.getLocalPort());
        try {
            return made.get();
        } finally {
            System.clearProperty(PROPERTY);
        }
    }

    /** From now on the name has these addresses; none: it exists, without any. */
    public DnsServer answer(String name, int ttlSeconds, String... addresses) {
        zones.put(name, new Zone("", 0, ttlSeconds, parse(addresses)));
        return recover();
    }

    /** From now on the name is another one for another name, which has these addresses. */
    public DnsServer alias(String name, int aliasTtlSeconds, String canonical, int ttlSeconds, String... addresses) {
        zones.put(name, new Zone(canonical, aliasTtlSeconds, ttlSeconds, parse(addresses)));
        return recover();
    }

    private DnsServer recover() {
        silent = false;
        failing = false;
        return this;
    }

    /** From now on the answer to every question is SERVFAIL. */
    public DnsServer fail() {
        recover().failing = true;
        return this;
    }

    /** From now on there is no answer. */
    public DnsServer fallSilent() {
        recover().silent = true;
        return this;
    }

    /** The next questions are lost on their way. */
    public DnsServer drop(int questions) {
        drops.set(questions);
        return this;
    }

    /** Every question that came in, as {@code A pay.test}, in order. */
    public List<String> queries() {
        return List.copyOf(queries);
    }

    private static List<InetAddress> parse(String... addresses) {
        List<InetAddress> parsed = new ArrayList<>();
        try {
            for (String address : addresses) {
                parsed.add(InetAddress.getByName(address));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return parsed;
    }

    private void serve() {
        byte[] buffer = new byte[1500];
        while (!socket.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                socket.receive(packet);
                byte[] answer = answer(ByteBuffer.wrap(buffer, 0, packet.getLength()));
                if (answer != null) {
                    socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            } catch (IOException closed) {
                continue;
            }
        }
    }

    private byte[] answer(ByteBuffer query) throws IOException {
        StringBuilder name = new StringBuilder();
        int at = HEADER;
        for (int length = query.get(at); length > 0; length = query.get(at)) {
            byte[] label = new byte[length];
            query.get(at + 1, label);
            name.append(name.length() == 0 ? "" : ".").append(new String(label, StandardCharsets.US_ASCII));
            at += length + 1;
        }
        int type = query.getShort(at + 1);
        byte[] question = new byte[at + 5 - HEADER];
        query.get(HEADER, question);
        String asked = name.toString().toLowerCase(Locale.ROOT);
        queries.add((type == A ? "A " : type == AAAA ? "AAAA " : type + " ") + asked);
        if (silent || drops.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return null;
        }
        return answer(query.getShort(0), question, type, failing ? null : zones.get(asked));
    }

    private byte[] answer(int id, byte[] question, int type, Zone zone) throws IOException {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(records);
        int count = 0;
        byte[] owner = {(byte) 0xC0, HEADER};
        if (zone != null && !zone.alias.isEmpty()) {
            byte[] canonical = encode(zone.alias);
            record(out, owner, CNAME, zone.aliasTtl, canonical);
            owner = canonical;
            count++;
        }
        int bytes = type == A ? 4 : 16;
        for (InetAddress address : zone == null ? List.<InetAddress>of() : zone.addresses) {
            if (address.getAddress().length == bytes) {
                record(out, owner, type, zone.ttl, address.getAddress());
                count++;
            }
        }
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        DataOutputStream head = new DataOutputStream(message);
        head.writeShort(id);
        head.writeShort(0x8180 | (zone != null ? 0 : failing ? SERVFAIL : NXDOMAIN));
        head.writeShort(1);
        head.writeShort(count);
        head.writeInt(0);
        head.write(question);
        head.write(records.toByteArray());
        return message.toByteArray();
    }

    private static void record(DataOutputStream out, byte[] owner, int type, int ttl, byte[] data) throws IOException {
        out.write(owner);
        out.writeShort(type);
        out.writeShort(1);
        out.writeInt(ttl);
        out.writeShort(data.length);
        out.write(data);
    }

    private static byte[] encode(String name) {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        for (String label : name.split("\\.")) {
            encoded.write(label.length());
            encoded.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
        }
        encoded.write(0);
        return encoded.toByteArray();
    }

    @Override
    public void close() {
        socket.close();
    }
}
