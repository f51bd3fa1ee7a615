package io.millrace.jmh.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LedgerTest {

  @Test
  void findings_whenEachJobWasCompletedOnce_areNone() {
    Ledger ledger = new Ledger(2);

    for (int i = 0; i < 200_000; i++) {
      ledger.completed(ledger.next(i % 2));
    }

    assertThat(ledger.findings()).isEmpty();
    assertThat(ledger.completedCount()).isEqualTo(200_000);
  }

  @Test
  void findings_whenAJobIsMissing_sayHowMany() {
    Ledger ledger = new Ledger(1);

    ledger.next(0);
    ledger.completed(ledger.next(0));
    ledger.next(0);

    assertThat(ledger.findings()).containsExactly("enqueued jobs that were never completed: 2");
  }

  @Test
  void findings_whenAJobWasCompletedTwice_sayHowOften() {
    Ledger ledger = new Ledger(1);
    long number = ledger.next(0);

    ledger.completed(number);
    ledger.completed(number);
    ledger.completed(number);

    assertThat(ledger.findings())
        .containsExactly("completions of jobs that were completed before: 2");
  }

  @Test
  void findings_whenAJobOfADroppedPageIsCompletedAgain_sayHowOften() {
    Ledger ledger = new Ledger(1);
    for (int i = 0; i < 70_000; i++) {
      ledger.completed(ledger.next(0));
    }

    ledger.completed(5);

    assertThat(ledger.findings())
        .containsExactly("completions of jobs that were completed before: 1");
  }

  @Test
  void findings_whenNobodyEnqueuedTheJob_sayHowOften() {
    Ledger ledger = new Ledger(1);
    ledger.completed(ledger.next(0));

    ledger.completed(1L << 40);
    ledger.completed(-1);
    ledger.completed(1_000_000);

    assertThat(ledger.findings()).containsExactly("completions of jobs that nobody enqueued: 3");
  }
}
