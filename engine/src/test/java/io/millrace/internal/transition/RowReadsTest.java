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
  private final CountedView view = new CountedView(store.read());
  private final RowReads reads = new RowReads(() -> view);

  /** Counts reads, and cannot read one key. */
  private static final class CountedView extends ForwardingView {
    private int count;
    private byte @Nullable [] unreadable;

    CountedView(ReadView view) {
      super(view);
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
      return view.get(key);
    }

    @Override
    public List<byte @Nullable []> getAll(List<byte[]> keys) {
      count++;
      keys.forEach(this::require);
      return view.getAll(keys);
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
