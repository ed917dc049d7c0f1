package io.resilienceproxy.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class StatusSetTest {

    @Test
    void containsWhatWasAdded() {
        StatusSet set = StatusSet.NONE.plus(429).plusClass(5);
        assertThat(set.contains(429)).isTrue();
        assertThat(set.contains(500)).isTrue();
        assertThat(set.contains(599)).isTrue();
        assertThat(set.contains(499)).isFalse();
        assertThat(set.contains(200)).isFalse();
    }

    @Test
    void takesWhatIsNoStatusFor500() {
        for (int none : new int[] {-1, 0, 99, 600, 999, Integer.MAX_VALUE}) {
            assertThat(StatusSet.SERVER_ERRORS.contains(none)).isTrue();
            assertThat(StatusSet.NONE.plus(501).contains(none)).isFalse();
        }
    }

    @Test
    void doesNotChangeWhenAddedTo() {
        StatusSet before = StatusSet.NONE.plus(429);
        before.plus(500);
        before.plusClass(4);
        assertThat(before).isEqualTo(StatusSet.NONE.plus(429)).hasSameHashCodeAs(StatusSet.NONE.plus(429));
        assertThat(before).isNotEqualTo(StatusSet.NONE).hasToString("{429}");
    }

    @Test
    void acceptsValidStatusesOnly() {
        assertThatIllegalArgumentException().isThrownBy(() -> StatusSet.NONE.plus(99));
        assertThatIllegalArgumentException().isThrownBy(() -> StatusSet.NONE.plus(600));
        assertThatIllegalArgumentException().isThrownBy(() -> StatusSet.NONE.plusClass(0));
        assertThatIllegalArgumentException().isThrownBy(() -> StatusSet.NONE.plusClass(6));
    }
}
