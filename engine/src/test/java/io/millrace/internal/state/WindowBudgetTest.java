package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowBudgetTest {

  @Test
  void isExceeded_atTheLimit_isFalseAndOneByteOverItTrue() {
    WindowBudget budget = new WindowBudget(100);

    budget.take(100);
    assertThat(budget.isExceeded()).isFalse();
    budget.take(1);
    assertThat(budget.isExceeded()).isTrue();
    budget.give(1);

    assertThat(budget.isExceeded()).isFalse();
  }
}
