package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Contract of backups: a copy is whole, a store of its own, and made while work goes on. */
public abstract class BackupContractTest extends StoreContract {

  protected BackupContractTest(StoreFixture fixture) {
    super(fixture);
  }

  @Test
  void backup_openedBesideItsOrigin_hasTheSameRowsAndItsOwnIdentity() {
    OrderedStore store = open();
    writeNumbered(store, 10);

    store.backupTo(target());
    OrderedStore copy = open(StoreOptions.of(target()));

    assertThat(rows(copy)).isEqualTo(numberedRows(10));
    assertThat(copy.lastCommit()).isEqualTo(10);
    assertThat(copy.syncedCommit()).isEqualTo(10);
    assertThat(copy.info().storeId()).isNotEqualTo(store.info().storeId());
    assertThat(copy.epoch())
        .isBetween(
            store.epoch() + OrderedStore.COPY_EPOCH_STEP,
            store.epoch() + OrderedStore.COPY_EPOCH_STEP + 1);
  }

  @Test
  void backup_bothWrittenAfterwards_goTheirOwnWays() {
    OrderedStore store = open();
    writeNumbered(store, 3);
    store.backupTo(target());
    OrderedStore copy = open(StoreOptions.of(target()));

    writeNumbered(store, 2);
    put(copy, "of the copy", "alone");

    assertThat(rows(store)).isEqualTo(numberedRows(5));
    assertThat(rows(copy)).hasSize(4).containsAll(numberedRows(3));
    copy.close();
    assertThat(rows(open(StoreOptions.of(target())))).hasSize(4);
  }

  @Test
  void backup_whileBatchesAreWritten_isWholeAndAPrefix() throws Exception {
    OrderedStore store = open();
    writeNumbered(store, 100);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < 5; i++) {
        Path folder = parent.resolve("copy " + i);
        long before = store.lastCommit();
        Future<?> backup = thread.submit(() -> store.backupTo(folder));
        do {
          writeNumbered(store, 10);
        } while (!backup.isDone());
        backup.get();

        OrderedStore copy = open(StoreOptions.of(folder));

        assertThat(copy.lastCommit()).isBetween(before, store.lastCommit());
        assertThat(rows(copy)).isEqualTo(numberedRows(copy.lastCommit()));
        copy.close();
      }
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void backup_storeIsClosedMeanwhile_isWholeOrTold() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < 10; i++) {
        Path folder = parent.resolve("copy " + i);
        OrderedStore store = open();
        writeNumbered(store, 100);
        long lastCommit = store.lastCommit();
        CountDownLatch underWay = new CountDownLatch(1);
        Future<?> backup =
            thread.submit(
                () -> {
                  underWay.countDown();
                  store.backupTo(folder);
                });
        underWay.await();
        // At another moment each time.
        LockSupport.parkNanos(i * 1_000_000L);

        store.close();

        try {
          backup.get();
          assertThat(rows(open(StoreOptions.of(folder)))).isEqualTo(numberedRows(lastCommit));
        } catch (ExecutionException e) {
          assertThat(e).hasCauseInstanceOf(StoreClosedException.class);
          assertThatThrownBy(() -> open(StoreOptions.of(folder).access(Access.READ_ONLY)))
              .isInstanceOf(StoreException.class);
        }
        OrderedStore again = open();
        assertThat(again.lastCommit()).isEqualTo(lastCommit);
        again.close();
      }
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void backup_ontoAnotherStore_isRefused() {
    OrderedStore other = open(StoreOptions.of(target()));
    writeNumbered(other, 2);
    other.close();

    assertThatThrownBy(() -> open().backupTo(target())).isInstanceOf(StoreException.class);

    assertThat(rows(open(StoreOptions.of(target())))).isEqualTo(numberedRows(2));
  }

  private Path target() {
    return parent.resolve("copy");
  }
}
