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
 * The shape of a {@link History}'s batches. A batch follows from the shape and its number alone, so
 * that any prefix of a history can be told from anything else.
 *
 * @param seed decides on the rows in the batches
 * @param operationCountMax the most rows that a batch puts
 * @param largeValueOdds the number of values of which one, on average, is large
 * @param largeValueBytesMax the length that large values stay below
 * @param lifeBatchCount the number of batches after which most of a batch's rows are deleted
 */
public record HistoryShape(
    long seed,
    int operationCountMax,
    int largeValueOdds,
    int largeValueBytesMax,
    int lifeBatchCount) {

  /** The shape of {@link History}. */
  static final HistoryShape PLAIN = new HistoryShape(0, 20, 20, 20_000, 10);

  private static final long NUMBER_FACTOR = 0x9E3779B97F4A7C15L;
  private static final int SMALL_VALUE_BYTES_MAX = 300;

  /** The number of rows of which one, on average, is never deleted. */
  private static final int KEPT_ODDS = 10;

  private static final byte[] START = {};
  private static final byte[] END = {(byte) 0xFF};

  /** Returns the shape that a seed stands for. */
  public static HistoryShape of(long seed) {
    return switch (new Random(seed).nextInt(5)) {
      case 0 -> new HistoryShape(seed, 2, 20, 5_000, 3);
      case 1 -> new HistoryShape(seed, 100, 1_000, 5_000, 3);
      case 2 -> new HistoryShape(seed, 4, 2, 60_000, 1);
      case 3 -> new HistoryShape(seed, 20, 10, 20_000, 40);
      default -> new HistoryShape(seed, 20, 20, 20_000, 10);
    };
  }

  /** Returns the batch of this number. */
  public WriteBatch batch(long number) {
    Random random = new Random(seed + number * NUMBER_FACTOR);
    WriteBatch batch = new WriteBatch(number);
    int count = 1 + random.nextInt(operationCountMax);
    for (int i = 0; i < count; i++) {
      boolean isLarge = random.nextInt(largeValueOdds) == 0;
      byte[] value = new byte[random.nextInt(isLarge ? largeValueBytesMax : SMALL_VALUE_BYTES_MAX)];
      random.nextBytes(value);
      batch.put(key(number, i), value);
    }
    for (int i = 0; number > lifeBatchCount && i < operationCountMax; i++) {
      if (random.nextInt(KEPT_ODDS) != 0) {
        batch.delete(key(number - lifeBatchCount, i));
      }
    }
    return batch;
  }

  /** Asserts that the store holds exactly the first {@code lastCommit} batches, each whole. */
  public void verify(OrderedStore store) {
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
