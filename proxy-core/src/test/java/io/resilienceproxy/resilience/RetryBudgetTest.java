package io.resilienceproxy.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.resilienceproxy.policy.RetryPolicy.BudgetPolicy;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryBudgetTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 50, 100, 200, 333, 500, 999, 1000})
    void allowsItsShareOfSuccessesAsRetriesAndTheFirstFive(int thousandths) {
        RetryBudget budget = new RetryBudget(new BudgetPolicy(thousandths, 10_000));
        int successes = 10_000;
        int retries = 0;
        for (int i = 0; i < successes; i++) {
            budget.deposit();
            while (budget.tryWithdraw()) {
                retries++;
            }
        }
        assertThat(retries).isEqualTo((5_000 + successes * thousandths) / 1000);
        assertThat(budget.balanceThousandths()).isEqualTo((5_000 + successes * thousandths) % 1000);
    }

    @Test
    void countsTenTenthsAsExactlyOneToken() {
        RetryBudget budget = drained(new BudgetPolicy(100, 10_000));
        for (int i = 0; i < 9; i++) {
            budget.deposit();
        }
        assertThat(budget.tryWithdraw()).isFalse();
        assertThat(budget.balanceThousandths()).isEqualTo(900);
        budget.deposit();
        assertThat(budget.tryWithdraw()).isTrue();
        assertThat(budget.balanceThousandths()).isZero();
    }

    @Test
    void startsHalfFull() {
        RetryBudget budget = new RetryBudget(BudgetPolicy.DEFAULT);
        assertThat(budget.balanceThousandths()).isEqualTo(5_000);
        assertThat(budget.maxThousandths()).isEqualTo(10_000);
    }

    @Test
    void holdsNoMoreThanItsMaximum() {
        RetryBudget budget = new RetryBudget(new BudgetPolicy(300, 1_000));
        for (int i = 0; i < 100; i++) {
            budget.deposit();
        }
        assertThat(budget.balanceThousandths()).isEqualTo(1_000);
    }

    @Test
    void neverRetriesWithoutRoomForAToken() {
        RetryBudget budget = new RetryBudget(new BudgetPolicy(200, 0));
        budget.deposit();
        assertThat(budget.tryWithdraw()).isFalse();
        assertThat(budget.balanceThousandths()).isZero();
    }

    @Test
    void livesOnItsFirstTokensWhenSuccessesDepositNothing() {
        RetryBudget budget = drained(new BudgetPolicy(0, 10_000));
        budget.deposit();
        assertThat(budget.balanceThousandths()).isZero();
    }

    @Test
    void doesNotOverflow() {
        RetryBudget budget = new RetryBudget(new BudgetPolicy(Integer.MAX_VALUE, Integer.MAX_VALUE));
        budget.deposit();
        budget.deposit();
        assertThat(budget.balanceThousandths()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void acceptsNoNegativeFigures() {
        assertThatIllegalArgumentException().isThrownBy(() -> new RetryBudget(new BudgetPolicy(-1, 1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new RetryBudget(new BudgetPolicy(1, -1)));
    }

    @Test
    void losesAndInventsNoTokenBetweenThreads() throws Exception {
        int threads = 4;
        int rounds = 50_000;
        // Room for all deposits, so that none is lost to the maximum.
        RetryBudget budget = new RetryBudget(new BudgetPolicy(300, 200_000_000));
        int before = budget.balanceThousandths();
        Callable<Integer> caller = () -> {
            int withdrawn = 0;
            for (int i = 0; i < rounds; i++) {
                budget.deposit();
                withdrawn += budget.tryWithdraw() ? 1 : 0;
            }
            return withdrawn;
        };
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try {
            int withdrawn = 0;
            for (Future<Integer> one : callers.invokeAll(Collections.nCopies(threads, caller))) {
                withdrawn += one.get();
            }
            assertThat(budget.balanceThousandths())
                    .isEqualTo(before + threads * rounds * 300 - withdrawn * RetryBudget.TOKEN);
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void keepsItsBalanceUpToAnotherMaximum() {
        RetryBudget budget = new RetryBudget(new BudgetPolicy(200, 10_000));
        budget.change(new BudgetPolicy(200, 20_000)).run();
        assertThat(budget.balanceThousandths()).isEqualTo(5_000);
        assertThat(budget.maxThousandths()).isEqualTo(20_000);
        budget.change(new BudgetPolicy(100, 3_000)).run();
        assertThat(budget.balanceThousandths()).isEqualTo(3_000);
        budget.tryWithdraw();
        budget.deposit();
        assertThat(budget.balanceThousandths()).isEqualTo(2_100);
    }

    private static RetryBudget drained(BudgetPolicy policy) {
        RetryBudget budget = new RetryBudget(policy);
        for (int i = 0; i < policy.maxThousandths() / 2 / RetryBudget.TOKEN; i++) {
            assertThat(budget.tryWithdraw()).isTrue();
        }
        assertThat(budget.tryWithdraw()).isFalse();
        return budget;
    }
}
