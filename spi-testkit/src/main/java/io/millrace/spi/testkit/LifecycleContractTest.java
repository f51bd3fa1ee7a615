package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreInfo.Durability;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.WriteBatch;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Contract of opening, locking and closing. */
public abstract class LifecycleContractTest extends StoreContract {

  protected LifecycleContractTest(StoreFixture fixture) {
    super(fixture);
  }

  @Test
  void open_newStore_isEmptyInItsFirstEpoch() {
    OrderedStore store = open();

    assertThat(store.epoch()).isPositive();
    assertThat(store.lastCommit()).isZero();
    assertThat(store.syncedCommit()).isZero();
    assertThat(rows(store)).isEmpty();
  }

  @Test
  void info_ofAnyStore_saysWhatTheEngineNeeds() {
    StoreInfo info = open().info();

    assertThat(info.name()).isEqualTo(fixture.name());
    assertThat(info.storeId()).isNotBlank();
    assertThat(info.keyBytesMax()).isGreaterThanOrEqualTo(StoreInfo.KEY_BYTES_LEAST);
    assertThat(info.valueBytesMax()).isGreaterThanOrEqualTo(StoreInfo.VALUE_BYTES_LEAST);
    assertThat(info.batchBytesMax()).isGreaterThanOrEqualTo(info.valueBytesMax());
    assertThat(info.batchOperationsMax()).isGreaterThanOrEqualTo(StoreInfo.BATCH_OPERATIONS_LEAST);
    assertThat(info.viewCountMax()).isGreaterThanOrEqualTo(256);
    assertThat(info.sharing())
        .as("those that several owners share pass SharedStoreContractTest")
        .isEqualTo(StoreInfo.Sharing.EXCLUSIVE);
  }

  @Test
  void open_twiceInThisProcess_isRefusedAndTheFirstGoesOn() {
    OrderedStore store = open();
    boolean keepsRows = store.info().durability() != Durability.NONE;
    String pid = Long.toString(ProcessHandle.current().pid());
    Path otherSpelling = parent.resolve("x").resolve("..").resolve("store");

    assertThatThrownBy(this::open)
        .isInstanceOf(StoreLockedException.class)
        .hasMessageContaining(pid);
    assertThatThrownBy(() -> open(StoreOptions.of(otherSpelling)))
        .isInstanceOf(StoreLockedException.class)
        .hasMessageContaining(pid);

    writeNumbered(store, 2);
    store.close();
    assertThat(open().lastCommit()).isEqualTo(keepsRows ? 2 : 0);
  }

  @Test
  void open_differentFolders_areDifferentStores() {
    OrderedStore first = open();
    OrderedStore second = open(StoreOptions.of(parent.resolve("second")));

    writeNumbered(first, 3);

    assertThat(second.lastCommit()).isZero();
    assertThat(rows(second)).isEmpty();
    assertThat(second.info().storeId()).isNotEqualTo(first.info().storeId());
  }

  @Test
  void close_anyCallAfterIt_isRefused() {
    OrderedStore store = open();
    writeNumbered(store, 1);
    ReadView view = store.read();

    store.close();
    store.close();

    assertClosed(store::info);
    assertClosed(store::epoch);
    assertClosed(store::lastCommit);
    assertClosed(store::syncedCommit);
    assertClosed(store::read);
    assertClosed(() -> store.write(new WriteBatch(2)));
    assertClosed(store::sync);
    assertClosed(store::settle);
    assertClosed(() -> store.backupTo(parent.resolve("copy")));
    assertClosed(view::commit);
    assertClosed(() -> view.get(bytes("key")));
    assertClosed(() -> view.getAll(List.of(bytes("key"))));
    assertClosed(() -> view.scan(EMPTY, hex("ff"), 1, (key, value) -> true));
    view.close();
  }

  @Test
  void open_readOnlyWithoutStore_isRefusedAndNothingIsMade() {
    StoreOptions readOnly = options().access(Access.READ_ONLY);

    assertThatThrownBy(() -> open(readOnly))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(folder().toString());

    assertThat(folder()).doesNotExist();
    assertThat(rows(open())).isEmpty();
  }

  private static void assertClosed(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(StoreClosedException.class);
  }
}
