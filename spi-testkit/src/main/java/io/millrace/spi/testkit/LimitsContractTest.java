package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Contract of limits: a call beyond a limit is refused before anything happens, and a full store
 * gets out of it.
 */
public abstract class LimitsContractTest extends StoreContract {

  static final long SMALL_STORE_BYTES = 4L << 20;
  private static final int ROW_BYTES = 16 << 10;

  protected LimitsContractTest(StoreFixture fixture) {
    super(fixture);
  }

  @Test
  void write_longestKeyAndValue_areReadBack() {
    OrderedStore store = open();
    StoreInfo info = store.info();
    byte[] key = beyondAllKeys(info.keyBytesMax() - 1);
    long valueBytes = Math.min(info.valueBytesMax(), info.batchBytesMax() - key.length);
    byte[] value = new byte[(int) valueBytes];
    Arrays.fill(value, (byte) 7);
    WriteBatch batch = nextBatch(store);
    batch.put(key, value);

    store.write(batch);

    try (ReadView view = store.read()) {
      assertThat(Arrays.equals(view.get(key), value)).isTrue();
    }
  }

  @Test
  void write_mostOperations_allHappen() {
    OrderedStore store = open();
    int operationsMax = store.info().batchOperationsMax();
    store.write(batchOf(store, operationsMax));

    try (ReadView view = store.read()) {
      int count =
          view.scan(
              EMPTY,
              beyondAllKeys(store.info().keyBytesMax()),
              Integer.MAX_VALUE,
              (key, value) -> true);
      assertThat(count).isEqualTo(operationsMax);
    }
  }

  @Test
  void write_badKey_isRefused() {
    OrderedStore store = open();

    assertRefused(store, EMPTY, EMPTY, "key");
    assertRefused(store, new byte[store.info().keyBytesMax() + 1], EMPTY, "key");
  }

  @Test
  void write_deleteOfABadKey_isRefused() {
    OrderedStore store = open();
    WriteBatch batch = nextBatch(store);
    batch.put(bytes("good"), EMPTY);
    batch.delete(new byte[store.info().keyBytesMax() + 1]);

    assertThatIllegalArgumentException().isThrownBy(() -> store.write(batch));

    assertThat(rows(store)).isEmpty();
    assertThat(store.lastCommit()).isZero();
  }

  @Test
  void write_valueTooLong_isRefused() {
    OrderedStore store = open();

    assertRefused(store, bytes("key"), new byte[store.info().valueBytesMax() + 1], "value=");
  }

  @Test
  void write_tooManyBytes_isRefused() {
    OrderedStore store = open();
    byte[] value = new byte[Math.min(store.info().valueBytesMax(), 8 << 20)];
    WriteBatch batch = nextBatch(store);
    for (int i = 0; batch.bytes() <= store.info().batchBytesMax(); i++) {
      batch.put(new byte[] {(byte) i}, value);
    }

    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.write(batch))
        .withMessageContaining(Long.toString(store.info().batchBytesMax()));

    assertThat(rows(store)).isEmpty();
    assertThat(store.lastCommit()).isZero();
    writeNumbered(store, 1);
  }

  @Test
  void write_tooManyOperations_isRefused() {
    OrderedStore store = open();
    int operationsMax = store.info().batchOperationsMax();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.write(batchOf(store, operationsMax + 1)))
        .withMessageContaining(Integer.toString(operationsMax));

    assertThat(rows(store)).isEmpty();
    assertThat(store.lastCommit()).isZero();
    writeNumbered(store, 1);
  }

  @Test
  void write_storeIsFull_nothingHappensAndDeletesMakeRoom() {
    OrderedStore store = open(options().storeBytesMax(SMALL_STORE_BYTES));
    int rowCount = fill(store, 0);
    assertThat(rowCount).isGreaterThan(50);
    long lastCommit = store.lastCommit();
    List<String> before = keys(store, EMPTY, hex("ff"));

    assertThatThrownBy(() -> putRow(store, rowCount)).isInstanceOf(StoreFullException.class);

    assertThat(store.lastCommit()).isEqualTo(lastCommit);
    assertThat(keys(store, EMPTY, hex("ff"))).isEqualTo(before).hasSize(rowCount);
    free(store, 0, rowCount);
    assertThat(keys(store, EMPTY, hex("ff"))).isEmpty();
    assertThat(fill(store, 0)).isGreaterThan(rowCount / 2);
  }

  @Test
  void write_storeIsFull_smallFreeingBatchesMayAlsoPut() {
    OrderedStore store = open(options().storeBytesMax(SMALL_STORE_BYTES));
    int rowCount = fill(store, 0);

    for (int i = 0; i < rowCount; i++) {
      WriteBatch batch = nextFreeingBatch(store);
      batch.delete(rowKey(i));
      batch.put(bytes("z counter"), bytes("rows deleted: " + i));
      store.write(batch);
    }

    assertThat(rows(store))
        .containsExactly(row(bytes("z counter"), bytes("rows deleted: " + (rowCount - 1))));
  }

  @Test
  void write_filledAndFreedManyTimes_alwaysHasRoomAgain() {
    OrderedStore store = open(options().storeBytesMax(SMALL_STORE_BYTES));
    int first = fill(store, 0);
    free(store, 0, first);

    for (int i = 0; i < 10; i++) {
      int rowCount = fill(store, 0);
      assertThat(rowCount).isGreaterThan(first / 2);
      free(store, 0, rowCount);
    }

    assertThat(rows(store)).isEmpty();
  }

  static int fill(OrderedStore store, int first) {
    int index = first;
    try {
      while (true) {
        putRow(store, index);
        index++;
      }
    } catch (StoreFullException e) {
      return index;
    }
  }

  static void putRow(OrderedStore store, int index) {
    WriteBatch batch = nextBatch(store);
    batch.put(rowKey(index), new byte[ROW_BYTES]);
    store.write(batch);
  }

  /** Deletes rows in small batches, as an engine does that makes room. */
  static void free(OrderedStore store, int startInclusive, int endExclusive) {
    for (int i = startInclusive; i < endExclusive; ) {
      WriteBatch batch = nextFreeingBatch(store);
      for (int j = 0; j < 8 && i < endExclusive; j++, i++) {
        batch.delete(rowKey(i));
      }
      store.write(batch);
    }
  }

  static byte[] rowKey(int index) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(index).array();
  }

  private static WriteBatch batchOf(OrderedStore store, int operationCount) {
    WriteBatch batch = nextBatch(store);
    for (int i = 0; i < operationCount; i++) {
      batch.put(rowKey(i), EMPTY);
    }
    return batch;
  }

  private static void assertRefused(OrderedStore store, byte[] key, byte[] value, String message) {
    WriteBatch batch = nextBatch(store);
    batch.put(bytes("good"), EMPTY);
    batch.put(key, value);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.write(batch))
        .withMessageContaining(message);

    assertThat(rows(store)).isEmpty();
    assertThat(store.lastCommit()).isZero();
  }
}
