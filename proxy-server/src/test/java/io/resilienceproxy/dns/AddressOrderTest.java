package io.resilienceproxy.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AddressOrderTest {

    private static final List<InetAddress> IPV6 = addresses("2001:db8::1", "2001:db8::2");
    private static final List<InetAddress> IPV4 = addresses("192.0.2.1", "192.0.2.2", "192.0.2.3");
    private static final List<InetAddress> NONE = List.of();

    private final AddressOrder routed = new AddressOrder(address -> true);
    private final AddressOrder unrouted = new AddressOrder(address -> false);

    static List<InetAddress> addresses(String... texts) {
        return Stream.of(texts).map(AddressOrderTest::address).toList();
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    void takesTheFamiliesInTurnIpv6First() {
        assertThat(routed.of(IPV6, IPV4))
                .isEqualTo(addresses("2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.2", "192.0.2.3"));
    }

    @Test
    void leavesIpv6OutWhereNoRouteLeadsToIt() {
        assertThat(unrouted.of(IPV6, IPV4)).isEqualTo(IPV4);
    }

    @Test
    void keepsIpv6WithoutARouteWhereThereIsNothingElse() {
        assertThat(unrouted.of(IPV6, NONE)).isEqualTo(IPV6);
    }

    @Test
    void keepsAnAddressThatIsListedTwiceOnce() {
        assertThat(routed.of(NONE, addresses("192.0.2.1", "192.0.2.1"))).isEqualTo(addresses("192.0.2.1"));
    }

    @Test
    void isBounded() {
        List<InetAddress> many =
                IntStream.range(0, 200).mapToObj(i -> address("192.0.2." + i)).toList();

        assertThat(routed.of(IPV6, many)).hasSize(AddressOrder.MOST_ADDRESSES);
    }

    /** The loopback address needs no network. */
    @Test
    void asksTheRoutingTableOfThisHost() {
        AddressOrder ofThisHost = AddressOrder.ofThisHost();

        assertThat(ofThisHost.of(addresses("::1"), IPV4))
                .first()
                .satisfiesAnyOf(
                        address -> assertThat(address).isEqualTo(address("::1")),
                        address -> assertThat(address).isEqualTo(IPV4.get(0)));
        assertThat(ofThisHost.of(addresses("100::1"), NONE)).isEqualTo(addresses("100::1"));
    }
}
