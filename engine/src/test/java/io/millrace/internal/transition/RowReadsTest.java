package io.millrace.internal.transition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreUnavailableException;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.ForwardingView;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows are read together, those that others name in the next round. */
class RowReadsTest {

  private static final byte[] A = {1};
  private static final byte[] B = {2};
  private static final byte[] C = {3};
  private static final byte[] NOWHERE = {4};
  private static final byte[] NOTHING = {};

  private final OrderedStore store = storeWithRows();
  private CountedView view = new CountedView(store.read());
  private final RowReads reads = new RowReads(() -> view);

  /** Counts reads, and cannot read one key. */
  private static final class CountedView extends ForwardingView {
    private int count;
    private long bytes;
    private byte @Nullable [] unreadable;

    CountedView(ReadView view) {
      super(view);
    }

    private byte @Nullable [] counted(byte @Nullable [] value) {
      bytes += value == null ? 0 : value.length;
      return value;
    }

    private void require(byte[] key) {
      if (Arrays.equals(key, unreadable)) {
        throw new StoreUnavailableException("row cannot be read");
      }
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      count++;
      require(key);
      return counted(view.get(key));
    }

    @Override
    public List<byte @Nullable []> getAll(List<byte[]> keys) {
      count++;
      keys.forEach(this::require);
      List<byte @Nullable []> values = view.getAll(keys);
      values.forEach(this::counted);
      return values;
    }
  }

  private static OrderedStore storeWithRows() {
    StoreFactory factory = ServiceLoader.load(StoreFactory.class).findFirst().orElseThrow();
    OrderedStore opened = factory.open(StoreOptions.of("reads-together"));
    WriteBatch batch = new WriteBatch(opened.lastCommit() + 1);
    batch.put(A, B);
    batch.put(B, C);
    batch.put(C, NOTHING);
    opened.write(batch);
    return opened;
  }

  @AfterEach
  void close() {
    view.close();
    store.close();
  }

  @Test
  void fetch_nothingIsWanted_readsNothing() {
    reads.fetch();

    assertThat(view.count).isZero();
  }

  @Test
  void fetch_manyRows_areOneRead() {
    RowReads.Row row = reads.want(A);
    reads.wantByKey(B);
    reads.wantByKey(NOWHERE);

    reads.fetch();

    assertThat(row.value()).isEqualTo(B);
    assertThat(reads.get(B)).isEqualTo(C);
    assertThat(reads.get(NOWHERE)).isNull();
    assertThat(view.count).isEqualTo(1);
  }

  @Test
  void fetch_rowsNameRows_areOneReadForEachRound() {
    reads.wantByKey(A, value -> reads.wantByKey(value, next -> reads.wantByKey(next)));
    reads.wantByKey(NOWHERE, value -> assertThat(value).isNull());

    reads.fetch();

    assertThat(reads.get(A)).isEqualTo(B);
    assertThat(reads.get(B)).isEqualTo(C);
    assertThat(reads.get(C)).isEmpty();
    assertThat(view.count).isEqualTo(3);
  }

  @Test
  void wantByKey_twice_isReadOnce() {
    reads.wantByKey(A);
    reads.fetch();
    reads.wantByKey(A);
    reads.fetch();

    assertThat(reads.get(A)).isEqualTo(B);
    assertThat(view.count).isEqualTo(1);
  }

  private static byte[] longKey(int number) {
    return new byte[] {9, (byte) (number >> 8), (byte) number};
  }

  private void wantLong(int count, int bytes) {
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    for (int i = 0; i < count; i++) {
      batch.put(longKey(i), new byte[bytes]);
      reads.wantLong(longKey(i));
    }
    store.write(batch);
    view.close();
    view = new CountedView(store.read());
  }

  @Test
  void fetch_longRows_stopsReadingAheadWhenTheyHoldEnough() {
    reads.wantByKey(A);
    wantLong(100, 256 << 10);

    reads.fetch();

    assertThat(reads.get(A)).isEqualTo(B);
    assertThat(view.count).as("reads").isBetween(1, 2);
    assertThat(view.bytes).as("read ahead").isBetween(3L << 20, 5L << 20);
    int before = view.count;
    for (int i = 0; i < 100; i++) {
      assertThat(reads.get(longKey(i))).hasSize(256 << 10);
    }
    assertThat(view.count - before).as("read one by one").isBetween(80, 90);
  }

  @Test
  void fetch_rowsThatCouldBeLongAndAreNot_areFewReads() {
    wantLong(1_000, 100);

    reads.fetch();

    assertThat(view.count).isEqualTo(1 + (1_000 - 16 + 63) / 64);
    for (int i = 0; i < 1_000; i++) {
      assertThat(reads.get(longKey(i))).hasSize(100);
    }
    assertThat(view.count).isEqualTo(17);
  }

  @Test
  void forget_afterLongRows_readsAheadAgain() {
    wantLong(100, 256 << 10);
    reads.fetch();
    reads.forget();
    long before = view.bytes;
    reads.wantLong(longKey(99));

    reads.fetch();

    assertThat(view.bytes - before).isEqualTo(256 << 10);
    int count = view.count;
    assertThat(reads.get(longKey(99))).hasSize(256 << 10);
    assertThat(view.count).isEqualTo(count);
  }

  @Test
  void get_rowThatNobodyWanted_isReadThen() {
    assertThat(reads.get(A)).isEqualTo(B);
    assertThat(view.count).isEqualTo(1);
  }

  @Test
  void get_afterForget_isReadAgain() {
    reads.wantByKey(A);
    reads.fetch();

    reads.forget();

    assertThat(reads.get(A)).isEqualTo(B);
    assertThat(view.count).isEqualTo(2);
  }

  @Test
  void fetch_oneRowCannotBeRead_failsOnlyThoseWhoNeedIt() {
    view.unreadable = B;
    RowReads.Row row = reads.want(B);
    reads.wantByKey(B, value -> reads.wantByKey(C));
    reads.wantByKey(A);

    reads.fetch();

    assertThat(reads.get(A)).isEqualTo(B);
    assertThatThrownBy(row::value).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> reads.get(B)).isInstanceOf(StoreException.class);
    assertThat(view.count).as("all of them, and then each alone").isEqualTo(4);
  }

  @Test
  void fetch_rowIsDamaged_namesNothing() {
    reads.wantByKey(
        A,
        value -> {
          throw new CorruptDataException("row is damaged");
        });
    reads.wantByKey(B);

    reads.fetch();

    assertThat(reads.get(A)).isEqualTo(B);
    assertThat(reads.get(B)).isEqualTo(C);
    assertThat(view.count).isEqualTo(1);
  }
}
