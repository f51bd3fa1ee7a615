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

  @Test
  void take_ofAShare_countsForTheWholeAndForNoOtherShare() {
    WindowBudget budget = new WindowBudget(80);
    WindowBudget first = budget.share();
    WindowBudget second = budget.share();

    first.take(70);
    second.take(11);

    assertThat(first.isExceeded()).isTrue();
    assertThat(second.isExceeded()).isTrue();
    assertThat(first.bytesUsed()).isEqualTo(70);
    assertThat(second.bytesUsed()).isEqualTo(11);
    second.give(11);
    assertThat(budget.isExceeded()).isFalse();
    assertThat(budget.hasRoom()).isTrue();
    first.take(1);
    assertThat(budget.hasRoom()).isFalse();
  }
}
