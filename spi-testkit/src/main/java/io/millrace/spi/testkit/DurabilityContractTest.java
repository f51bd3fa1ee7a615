package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreInfo.Syncing;
import org.junit.jupiter.api.Test;

/**
 * Contract of durability: the numbers that a store gives, and the rows that are there after its
 * process died.
 */
public abstract class DurabilityContractTest extends StoreContract {

  protected DurabilityContractTest(StoreFixture fixture) {
    super(fixture);
  }

  @Test
  void sync_afterWrites_coversAllOfThem() {
    OrderedStore store = open();
    assertThat(store.lastCommit()).isZero();
    assertThat(store.syncedCommit()).isZero();

    for (int i = 1; i <= 20; i++) {
      writeNumbered(store, i % 4);
      assertThat(store.syncedCommit()).isLessThanOrEqualTo(store.lastCommit());
      store.sync();
      assertThat(store.syncedCommit()).isEqualTo(store.lastCommit());
    }
  }

  @Test
  void write_withoutSync_isCoveredAsTheStoreSays() {
    OrderedStore store = open();

    for (int i = 1; i <= 10; i++) {
      writeNumbered(store, 1);

      assertThat(store.syncedCommit()).isLessThanOrEqualTo(store.lastCommit());
      if (store.info().syncing() == Syncing.WRITE_SYNCS_PREVIOUS) {
        assertThat(store.syncedCommit()).isGreaterThanOrEqualTo(i - 1);
      }
    }
  }

  @Test
  void sync_nothingNew_isHarmless() {
    OrderedStore store = open();

    store.sync();
    writeNumbered(store, 1);
    store.sync();
    store.sync();

    assertThat(store.syncedCommit()).isEqualTo(1);
    assertThat(rows(store)).isEqualTo(numberedRows(1));
  }
}
