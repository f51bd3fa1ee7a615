package io.millrace.store.lmdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Full stores of many small rows of which most are deleted: there is room again, with a log or
 * without.
 */
@Tag("thorough")
class FreedStoreTest {

  private static final long STORE_BYTES = 64L << 20;
  private static final int ROWS = 1_000;

  @TempDir Path parent;

  private final Random random = new Random(7);

  private StoreOptions options(String location) {
    return StoreOptions.of(location).storeBytesMax(STORE_BYTES);
  }

  private List<byte[]> fill(OrderedStore store) {
    List<byte[]> keys = new ArrayList<>();
    try {
      while (true) {
        WriteBatch batch = new WriteBatch(store.lastCommit() + 1, Reserve.KEEP);
        List<byte[]> some = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
          byte[] key = new byte[16];
          random.nextBytes(key);
          some.add(key);
          batch.put(key, new byte[84]);
        }
        store.write(batch);
        keys.addAll(some);
      }
    } catch (StoreFullException e) {
      return keys;
    }
  }

  private static boolean grows(OrderedStore store, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() - end < 0) {
      try {
        WriteBatch batch = new WriteBatch(store.lastCommit() + 1, Reserve.KEEP);
        batch.put(new byte[] {1}, new byte[10]);
        store.write(batch);
        return true;
      } catch (StoreFullException e) {
        LockSupport.parkNanos(100_000_000);
      }
    }
    return false;
  }

  private void free(OrderedStore store, List<byte[]> keys) {
    List<byte[]> order = new ArrayList<>(keys);
    Collections.shuffle(order, random);
    for (int from = 0; from < order.size() * 6 / 10; from += 100) {
      WriteBatch batch = new WriteBatch(store.lastCommit() + 1, Reserve.USE);
      for (byte[] key : order.subList(from, Math.min(order.size(), from + 100))) {
        batch.delete(key);
      }
      store.write(batch);
    }
  }

  @ParameterizedTest
  @CsvSource({"?log=none, ?log=none", "?log=none, ''", "'', ''", "'', ?log=none"})
  void write_mostWasDeleted_growsAgain(String filled, String freed) {
    String location = parent.resolve("store").toString();
    List<byte[]> keys;
    try (OrderedStore store = new LmdbStoreFactory().open(options(location + filled))) {
      keys = fill(store);
    }
    try (OrderedStore store = new LmdbStoreFactory().open(options(location + freed))) {
      free(store, keys);

      assertThat(grows(store, Duration.ofSeconds(20))).isTrue();
    }
  }
}
