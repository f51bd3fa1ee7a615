package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions.Access;
import org.junit.jupiter.api.Test;

/** Contract of reopening: what is there when a store that keeps its rows is opened again. */
public abstract class ReopenContractTest extends StoreContract {

  protected ReopenContractTest(StoreFixture fixture) {
    super(fixture);
  }

  @Test
  void open_again_keepsEverythingAndRaisesTheEpoch() {
    OrderedStore first = open();
    String storeId = first.info().storeId();
    long epoch = first.epoch();
    writeNumbered(first, 4);
    first.close();

    for (int i = 1; i <= 3; i++) {
      OrderedStore again = open();

      assertThat(again.epoch()).isGreaterThan(epoch);
      epoch = again.epoch();
      assertThat(again.info().storeId()).isEqualTo(storeId);
      assertThat(again.lastCommit()).isEqualTo(3 + i);
      assertThat(again.syncedCommit()).isEqualTo(3 + i);
      assertThat(rows(again)).isEqualTo(numberedRows(3 + i));
      writeNumbered(again, 1);
      again.close();
    }
  }

  @Test
  void open_readOnly_showsEverythingAndChangesNothing() {
    OrderedStore first = open();
    String storeId = first.info().storeId();
    long epoch = first.epoch();
    writeNumbered(first, 2);
    first.close();

    OrderedStore readOnly = open(options().access(Access.READ_ONLY));
    assertThat(rows(readOnly)).isEqualTo(numberedRows(2));
    assertThat(readOnly.epoch()).isEqualTo(epoch);
    assertThat(readOnly.lastCommit()).isEqualTo(2);
    assertThat(readOnly.info().storeId()).isEqualTo(storeId);
    assertThatIllegalStateException().isThrownBy(() -> writeNumbered(readOnly, 1));
    assertThatIllegalStateException().isThrownBy(readOnly::sync);
    if (readOnly.info().sharing() == StoreInfo.Sharing.EXCLUSIVE) {
      // An owner stands beside it where two can share: SharedStoreContractTest has that.
      assertThatThrownBy(this::open).isInstanceOf(StoreLockedException.class);
    }
    readOnly.close();

    OrderedStore again = open();
    assertThat(again.epoch()).isGreaterThan(epoch);
    assertThat(rows(again)).isEqualTo(numberedRows(2));
  }

  @Test
  void open_withALeastEpoch_beginsThereAndStaysAbove() {
    OrderedStore first = open();
    writeNumbered(first, 2);
    first.close();

    OrderedStore raised = open(options().epochLeast(1_002));
    long epoch = raised.epoch();
    assertThat(epoch).isGreaterThanOrEqualTo(1_002);
    assertThat(rows(raised)).isEqualTo(numberedRows(2));
    raised.close();

    OrderedStore readOnly = open(options().access(Access.READ_ONLY).epochLeast(5_000));
    assertThat(readOnly.epoch()).isEqualTo(epoch);
    readOnly.close();

    OrderedStore again = open(options().epochLeast(7));
    assertThat(again.epoch()).isGreaterThan(epoch);
  }

  @Test
  void close_unsyncedWrites_areDurableAfterIt() {
    OrderedStore store = open();
    writeNumbered(store, 5);

    store.close();
    OrderedStore again = open();

    assertThat(again.lastCommit()).isEqualTo(5);
    assertThat(again.syncedCommit()).isEqualTo(5);
    assertThat(rows(again)).isEqualTo(numberedRows(5));
  }

  @Test
  void open_fullStore_worksAndDeletesMakeRoom() {
    OrderedStore store = open(options().storeBytesMax(LimitsContractTest.SMALL_STORE_BYTES));
    int rowCount = LimitsContractTest.fill(store, 0);
    store.close();

    OrderedStore again = open(options().storeBytesMax(LimitsContractTest.SMALL_STORE_BYTES));

    assertThat(keys(again, EMPTY, hex("ff"))).hasSize(rowCount);
    LimitsContractTest.free(again, 0, rowCount);
    LimitsContractTest.putRow(again, 0);
  }
}
