package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreBusyException;
import io.millrace.spi.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Contract of snapshots: a view sees everything that was written before it and nothing that came
 * after.
 */
public abstract class SnapshotContractTest extends StoreContract {

  protected SnapshotContractTest(StoreFixture fixture) {
    super(fixture);
  }

  @Test
  void read_newStore_seesNothing() {
    OrderedStore store = open();

    try (ReadView view = store.read()) {
      assertThat(view.commit()).isZero();
      assertThat(rows(view, store.info().keyBytesMax())).isEmpty();
    }
  }

  @Test
  void view_laterWrites_areNotSeen() {
    OrderedStore store = open();
    put(store, "changed", "old");
    put(store, "deleted", "old");

    try (ReadView view = store.read()) {
      List<String> before = rows(view, store.info().keyBytesMax());
      WriteBatch batch = nextBatch(store);
      batch.put(bytes("changed"), bytes("new"));
      batch.put(bytes("added"), bytes("new"));
      batch.delete(bytes("deleted"));
      store.write(batch);
      store.sync();

      assertThat(view.commit()).isEqualTo(2);
      assertThat(rows(view, store.info().keyBytesMax())).isEqualTo(before).hasSize(2);
      assertThat(view.get(bytes("changed"))).isEqualTo(bytes("old"));
      assertThat(view.get(bytes("added"))).isNull();
      assertThat(view.getAll(List.of(bytes("deleted")))).containsExactly(bytes("old"));
    }
    try (ReadView later = store.read()) {
      assertThat(later.commit()).isEqualTo(3);
      assertThat(later.get(bytes("changed"))).isEqualTo(bytes("new"));
      assertThat(later.get(bytes("deleted"))).isNull();
    }
  }

  @Test
  void views_openedBetweenManyBatches_eachKeepsItsOwnPast() {
    OrderedStore store = open();
    int keyBytesMax = store.info().keyBytesMax();
    SplittableRandom random = new SplittableRandom(3);
    List<ReadView> views = new ArrayList<>();
    List<List<String>> expected = new ArrayList<>();

    for (int i = 0; i < 200; i++) {
      WriteBatch batch = nextBatch(store);
      for (int j = 0; j < 20; j++) {
        byte[] key = {(byte) random.nextInt(256)};
        if (random.nextInt(3) == 0) {
          batch.delete(key);
        } else {
          batch.put(key, bytes("batch " + i));
        }
      }
      store.write(batch);
      if (i % 10 == 0) {
        views.add(store.read());
        expected.add(rows(store));
      }
    }

    for (int i = 0; i < views.size(); i++) {
      try (ReadView view = views.get(i)) {
        assertThat(view.commit()).isEqualTo(10L * i + 1);
        assertThat(rows(view, keyBytesMax)).isEqualTo(expected.get(i));
      }
    }
  }

  @Test
  void view_refusedWriteInBetween_seesWhatWasThere() {
    OrderedStore store = open();
    writeNumbered(store, 1);

    try (ReadView view = store.read()) {
      WriteBatch refused = nextBatch(store);
      refused.put(bytes("refused"), EMPTY);
      refused.put(new byte[store.info().keyBytesMax() + 1], EMPTY);
      try {
        store.write(refused);
      } catch (IllegalArgumentException expected) {
        assertThat(rows(view, store.info().keyBytesMax())).isEqualTo(numberedRows(1));
      }
    }

    assertThat(rows(store)).isEqualTo(numberedRows(1));
  }

  @Test
  void view_usedAfterItsClose_isRefused() {
    OrderedStore store = open();
    writeNumbered(store, 1);
    ReadView view = store.read();

    view.close();
    view.close();

    assertThatIllegalStateException().isThrownBy(view::commit);
    assertThatIllegalStateException().isThrownBy(() -> view.get(bytes("key")));
    assertThatIllegalStateException().isThrownBy(() -> view.getAll(List.of(bytes("key"))));
    assertThatIllegalStateException()
        .isThrownBy(() -> view.scan(EMPTY, hex("ff"), 1, (key, value) -> true));
    assertThat(rows(store)).isEqualTo(numberedRows(1));
  }

  @Test
  void views_aHundredAtOnce_allWork() {
    OrderedStore store = open();
    List<ReadView> views = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      writeNumbered(store, 1);
      views.add(store.read());
    }

    for (int i = 0; i < 100; i++) {
      assertThat(rows(views.get(i), store.info().keyBytesMax())).hasSize(i + 1);
      views.get(i).close();
    }
  }

  @Test
  void views_asManyAsThereMayBe_oneMoreIsToldBusyUntilOneCloses() {
    OrderedStore store = open();
    writeNumbered(store, 1);
    List<ReadView> views = new ArrayList<>();
    for (int i = 0; i < store.info().viewCountMax(); i++) {
      views.add(store.read());
    }

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(store::read)
          .isInstanceOf(StoreBusyException.class)
          .hasMessageContaining("limit=" + views.size());
    }

    writeNumbered(store, 1);
    store.sync();
    views.forEach(view -> assertThat(view.commit()).isEqualTo(1));
    ReadView closed = views.remove(0);
    closed.close();
    closed.close();
    views.add(store.read());
    assertThat(views.get(views.size() - 1).commit()).isEqualTo(2);
    assertThatThrownBy(store::read).isInstanceOf(StoreBusyException.class);
    views.forEach(ReadView::close);
    assertThat(rows(store)).isEqualTo(numberedRows(2));
  }

  @Test
  void views_openedAndClosedManyTimes_leaveNothingBehind() {
    OrderedStore store = open();
    writeNumbered(store, 1);

    for (int i = 0; i < 20_000; i++) {
      try (ReadView view = store.read()) {
        assertThat(view.commit()).isEqualTo(1);
      }
    }
  }
}
