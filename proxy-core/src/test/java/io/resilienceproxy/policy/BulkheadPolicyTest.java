package io.resilienceproxy.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BulkheadPolicyTest {

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "5, 4", "19, 15", "20, 16", "1000, 800"})
    void refusesBeforeThePoolIsDry(int connections, int calls) {
        assertThat(BulkheadPolicy.defaultConcurrentCalls(connections)).isEqualTo(calls);
    }
}
