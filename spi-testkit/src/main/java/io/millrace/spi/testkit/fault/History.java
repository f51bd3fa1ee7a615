package io.millrace.spi.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.WriteBatch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Queue-like batches that follow from their number alone, so that any prefix of them can be told
 * from anything else.
 */
public final class History {

  private static final int OPERATION_COUNT_MAX = 20;
  private static final int LARGE_VALUE_ODDS = 20;
  private static final int LARGE_VALUE_BYTES_MAX = 20_000;
  private static final int SMALL_VALUE_BYTES_MAX = 300;
  private static final int LIFE_BATCH_COUNT = 10;
  private static final byte[] START = {};
  private static final byte[] END = {(byte) 0xFF};

  private History() {}

  public static WriteBatch batch(long number) {
    Random random = new Random(number * 0x9E3779B97F4A7C15L);
    WriteBatch batch = new WriteBatch(number);
    int count = 1 + random.nextInt(OPERATION_COUNT_MAX);
    for (int i = 0; i < count; i++) {
      boolean isLarge = random.nextInt(LARGE_VALUE_ODDS) == 0;
      byte[] value =
          new byte[random.nextInt(isLarge ? LARGE_VALUE_BYTES_MAX : SMALL_VALUE_BYTES_MAX)];
      random.nextBytes(value);
      batch.put(key(number, i), value);
    }
    for (int i = 0; number > LIFE_BATCH_COUNT && i < OPERATION_COUNT_MAX; i++) {
      if (random.nextInt(LIFE_BATCH_COUNT) != 0) {
        batch.delete(key(number - LIFE_BATCH_COUNT, i));
      }
    }
    return batch;
  }

  /** Asserts that the store holds exactly the first {@code lastCommit} batches, each whole. */
  public static void verify(OrderedStore store) {
    Map<byte[], byte[]> expected = new TreeMap<>(Arrays::compareUnsigned);
    for (long number = 1; number <= store.lastCommit(); number++) {
      WriteBatch batch = batch(number);
      for (int i = 0; i < batch.size(); i++) {
        byte[] value = batch.value(i);
        if (value == null) {
          expected.remove(batch.key(i));
        } else {
          expected.put(batch.key(i), value);
        }
      }
    }
    try (ReadView view = store.read()) {
      assertThat(view.commit()).isEqualTo(store.lastCommit());
      var rest = expected.entrySet().iterator();
      view.scan(
          START,
          END,
          Integer.MAX_VALUE,
          (key, value) -> {
            var next = rest.next();
            assertThat(key).isEqualTo(next.getKey());
            assertThat(value).isEqualTo(next.getValue());
            return true;
          });
      assertThat(rest.hasNext()).as("rows are missing").isFalse();
    }
  }

  private static byte[] key(long number, int index) {
    return ByteBuffer.allocate(10)
        .put((byte) (index % 3))
        .putLong(number)
        .put((byte) index)
        .array();
  }
}
