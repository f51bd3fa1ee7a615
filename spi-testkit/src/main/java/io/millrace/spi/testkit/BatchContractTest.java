package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreInfo.Syncing;
import io.millrace.spi.WriteBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Contract of batches: a batch happens whole, once, in its turn, and on the writer's thread. */
public abstract class BatchContractTest extends StoreContract {

  protected BatchContractTest(StoreFixture fixture) {
    super(fixture);
  }

  @Test
  void write_putsAndDeletes_allHappen() {
    OrderedStore store = open();
    put(store, "changed", "old");
    put(store, "deleted", "old");

    WriteBatch batch = nextBatch(store);
    batch.put(bytes("new"), bytes("1"));
    batch.put(bytes("changed"), bytes("longer than before"));
    batch.delete(bytes("deleted"));
    batch.delete(bytes("never there"));
    store.write(batch);

    assertThat(rows(store))
        .containsExactly(
            row(bytes("changed"), bytes("longer than before")), row(bytes("new"), bytes("1")));
    assertThat(store.lastCommit()).isEqualTo(3);
  }

  @Test
  void write_keyGivenTwice_lastOperationWins() {
    OrderedStore store = open();
    put(store, "kept", "old");
    put(store, "gone", "old");

    WriteBatch batch = nextBatch(store);
    batch.delete(bytes("kept"));
    batch.put(bytes("kept"), bytes("1"));
    batch.put(bytes("kept"), bytes("2"));
    batch.put(bytes("gone"), bytes("1"));
    batch.delete(bytes("gone"));
    store.write(batch);

    assertThat(rows(store)).containsExactly(row(bytes("kept"), bytes("2")));
  }

  @Test
  void write_emptyBatch_takesANumber() {
    OrderedStore store = open();

    store.write(new WriteBatch(1));
    store.write(new WriteBatch(2, WriteBatch.Reserve.USE));

    assertThat(store.lastCommit()).isEqualTo(2);
    assertThat(rows(store)).isEmpty();
  }

  @Test
  void write_numberOutOfTurn_isRefusedAndNothingHappens() {
    OrderedStore store = open();
    writeNumbered(store, 3);

    for (long number : new long[] {-1, 0, 1, 3, 5, Long.MAX_VALUE}) {
      WriteBatch batch = new WriteBatch(number);
      batch.put(bytes("refused"), EMPTY);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.write(batch))
          .withMessageContaining(Long.toString(number));
    }

    assertThat(store.lastCommit()).isEqualTo(3);
    assertThat(rows(store)).isEqualTo(numberedRows(3));
    writeNumbered(store, 1);
    assertThat(rows(store)).isEqualTo(numberedRows(4));
  }

  @Test
  void write_sameBatchAgain_isRefused() {
    OrderedStore store = open();
    WriteBatch batch = nextBatch(store);
    batch.put(bytes("key"), bytes("value"));
    store.write(batch);

    assertThatIllegalArgumentException().isThrownBy(() -> store.write(batch));

    assertThat(store.lastCommit()).isEqualTo(1);
  }

  @Test
  void write_fromAnotherThread_isRefusedAndNothingHappens() throws Exception {
    OrderedStore store = open();
    writeNumbered(store, 1);

    assertThatIllegalStateException().isThrownBy(() -> elsewhere(() -> writeNumbered(store, 1)));

    assertThat(store.lastCommit()).isEqualTo(1);
    assertThat(rows(store)).isEqualTo(numberedRows(1));
    writeNumbered(store, 1);
    assertThat(store.lastCommit()).isEqualTo(2);
  }

  @Test
  void write_openedByOneThreadWrittenByAnother_belongsToTheWriter() throws Exception {
    OrderedStore store = open();

    elsewhere(() -> writeNumbered(store, 1));

    assertThatIllegalStateException().isThrownBy(() -> writeNumbered(store, 1));
    assertThat(rows(store)).isEqualTo(numberedRows(1));
  }

  @Test
  void settle_betweenWrites_changesNothingThatCanBeSeen() {
    OrderedStore store = open();

    for (int count = 1; count <= 3; count++) {
      store.settle();
      writeNumbered(store, 1);
      long synced = store.syncedCommit();
      store.settle();
      store.settle();

      assertThat(store.lastCommit()).isEqualTo(count);
      assertThat(store.syncedCommit()).isBetween(synced, (long) count);
      assertThat(rows(store)).isEqualTo(numberedRows(count));
    }
  }

  @Test
  void settle_fromAnotherThread_isRefused() throws Exception {
    OrderedStore store = open();
    writeNumbered(store, 1);

    assertThatIllegalStateException().isThrownBy(() -> elsewhere(store::settle));

    store.settle();
    assertThat(rows(store)).isEqualTo(numberedRows(1));
  }

  @Test
  void sync_fromAnotherThread_worksOnlyBesideWrites() throws Exception {
    OrderedStore store = open();
    writeNumbered(store, 2);

    if (store.info().syncing() == Syncing.BESIDE_WRITE) {
      elsewhere(store::sync);
    } else {
      assertThatIllegalStateException().isThrownBy(() -> elsewhere(store::sync));
      store.sync();
    }

    assertThat(store.syncedCommit()).isEqualTo(2);
  }

  @Test
  void write_longRandomHistory_equalsAModel() {
    OrderedStore store = open();
    SplittableRandom random = new SplittableRandom(11);
    TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < 400; i++) {
      // Grows for a hundred batches, shrinks for a hundred, so that pages also become empty.
      int deletesInTen = i / 100 % 2 == 0 ? 2 : 9;
      WriteBatch batch = nextBatch(store);
      for (int j = random.nextInt(60); j > 0; j--) {
        byte[] key = {(byte) random.nextInt(4), (byte) random.nextInt(256)};
        if (random.nextInt(10) < deletesInTen) {
          batch.delete(key);
          model.remove(key);
        } else {
          byte[] value = new byte[random.nextInt(30)];
          random.nextBytes(value);
          batch.put(key, value);
          model.put(key, value);
        }
      }
      store.write(batch);
      if (i % 20 == 0) {
        assertThat(rows(store)).isEqualTo(rowsOf(model));
      }
    }
    assertThat(rows(store)).isEqualTo(rowsOf(model));
  }

  private static List<String> rowsOf(TreeMap<byte[], byte[]> model) {
    List<String> rows = new ArrayList<>();
    model.forEach((key, value) -> rows.add(row(key, value)));
    return rows;
  }

  /** Runs a call on a thread of its own and throws what it threw. */
  private static void elsewhere(Runnable call) throws Exception {
    FutureTask<Void> task = new FutureTask<>(call, null);
    Thread thread = new Thread(task, "not-the-writer");
    thread.start();
    try {
      task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
