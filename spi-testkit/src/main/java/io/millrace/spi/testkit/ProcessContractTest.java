package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions.Access;
import org.junit.jupiter.api.Test;

/** Contract of processes: two never share a store, and one that dies leaves all that it wrote. */
public abstract class ProcessContractTest extends StoreContract {

  protected ProcessContractTest(StoreFixture fixture) {
    super(fixture);
  }

  @Test
  void open_heldByAnotherProcess_isRefusedWithItsPid() throws Exception {
    try (StoreProcess process = StoreProcess.start(factory.scheme(), folder(), 3)) {
      assertThat(process.epoch()).isPositive();

      assertThatThrownBy(this::open)
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining(Long.toString(process.pid()));
      assertThatThrownBy(() -> open(options().access(Access.READ_ONLY)))
          .isInstanceOf(StoreLockedException.class);

      process.closeStore();
    }
    assertThat(rows(open())).isEqualTo(numberedRows(3));
  }

  @Test
  void open_heldByThisProcess_isRefusedToAnother() throws Exception {
    OrderedStore store = open();

    // Twice: a refused opening must not take the lock away either.
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(this::open).isInstanceOf(StoreLockedException.class);
      try (StoreProcess process = StoreProcess.start(factory.scheme(), folder(), 1)) {
        assertThat(process.answer())
            .startsWith("StoreLockedException")
            .contains(Long.toString(ProcessHandle.current().pid()));
      }
    }

    writeNumbered(store, 1);
    assertThat(rows(store)).isEqualTo(numberedRows(1));
  }

  @Test
  void process_diesAfterUnsyncedWrites_theyAreAllThere() throws Exception {
    long epoch;
    try (StoreProcess process = StoreProcess.start(factory.scheme(), folder(), 25)) {
      epoch = process.epoch();
      process.kill();
    }

    OrderedStore store = open();

    assertThat(store.lastCommit()).isEqualTo(25);
    assertThat(rows(store)).isEqualTo(numberedRows(25));
    assertThat(store.epoch()).isGreaterThan(epoch);
  }

  @Test
  void process_diesAgainAndAgain_nothingIsLostAndEveryEpochIsHigher() throws Exception {
    long epoch = 0;
    for (int i = 1; i <= 3; i++) {
      try (StoreProcess process = StoreProcess.start(factory.scheme(), folder(), 7)) {
        assertThat(process.epoch()).isGreaterThan(epoch);
        epoch = process.epoch();
        process.kill();
      }
    }

    OrderedStore store = open();

    assertThat(store.epoch()).isGreaterThan(epoch);
    assertThat(rows(store)).isEqualTo(numberedRows(21));
  }
}
