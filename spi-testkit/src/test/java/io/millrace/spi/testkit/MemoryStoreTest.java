package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo.Durability;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.store.memory.MemoryStore;
import io.millrace.store.memory.MemoryStoreFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store in memory does beyond, or short of, the contract of all stores. */
class MemoryStoreTest {

  @TempDir Path parent;

  @Test
  void serviceLoader_forStoreFactories_findsIt() {
    List<String> schemes = new ArrayList<>();
    ServiceLoader.load(StoreFactory.class).forEach(factory -> schemes.add(factory.scheme()));

    assertThat(schemes).contains("memory");
  }

  @Test
  void open_again_beginsAnew() {
    String firstId;
    try (OrderedStore first = open()) {
      firstId = first.info().storeId();
      first.write(new WriteBatch(1));
    }

    try (OrderedStore again = open()) {
      assertThat(again.epoch()).isEqualTo(1);
      assertThat(again.lastCommit()).isZero();
      assertThat(again.info().storeId()).isNotEqualTo(firstId);
      assertThat(again.info().durability()).isEqualTo(Durability.NONE);
    }
    assertThat(folder()).doesNotExist();
  }

  @Test
  void backup_ofAStoreThatKeepsNothing_isRefused() {
    Path target = parent.resolve("copy");

    try (OrderedStore store = open()) {
      assertThatThrownBy(() -> store.backupTo(target))
          .isInstanceOf(StoreException.class)
          .hasMessage("a store in memory keeps nothing that could be backed up: folder=" + target);
    }
    assertThat(target).doesNotExist();
  }

  @Test
  void write_beyondTheLimit_onlyFreeingBatchesReachIntoTheReserve() {
    StoreOptions options = StoreOptions.of(folder()).storeBytesMax(1 << 20);
    try (OrderedStore store = new MemoryStoreFactory().open(options)) {
      store.write(batch(1, WriteBatch.Reserve.KEEP, 1, 1 << 20));

      assertThatThrownBy(() -> store.write(batch(2, WriteBatch.Reserve.KEEP, 2, 1)))
          .isInstanceOf(StoreFullException.class);
      store.write(batch(2, WriteBatch.Reserve.USE, 2, MemoryStore.RESERVE_BYTES));
      assertThatThrownBy(() -> store.write(batch(3, WriteBatch.Reserve.USE, 3, 1)))
          .isInstanceOf(StoreFullException.class);
      // Still above the limit, but smaller than before: refusing it would help nobody.
      store.write(batch(3, WriteBatch.Reserve.KEEP, 2, 1000));

      assertThat(store.lastCommit()).isEqualTo(3);
    }
  }

  private OrderedStore open() {
    return new MemoryStoreFactory().open(StoreOptions.of(folder()));
  }

  private Path folder() {
    return parent.resolve("store");
  }

  /** A batch of one row with a key of one byte that takes {@code rowBytes} in all. */
  private static WriteBatch batch(long number, WriteBatch.Reserve reserve, int key, long rowBytes) {
    WriteBatch batch = new WriteBatch(number, reserve);
    batch.put(new byte[] {(byte) key}, new byte[(int) rowBytes - 1]);
    return batch;
  }
}
