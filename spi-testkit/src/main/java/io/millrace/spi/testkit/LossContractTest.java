package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.StoreOptions.LostCommits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Contract of losses: a store whose files hold less than was once durable says so and is not opened
 * by itself.
 */
public abstract class LossContractTest extends StoreContract {

  protected LossContractTest(StoreFixture fixture) {
    super(fixture);
  }

  @Test
  void open_olderCopyOfTheRowsPutBack_isRefused() {
    putBackOlderRows(10, 5);

    assertRefusedAndUntouched();
  }

  @Test
  void open_olderCopyByASingleBatch_isRefused() {
    putBackOlderRows(10, 1);

    assertRefusedAndUntouched();
  }

  @Test
  void open_olderCopyAccepted_opensWhatIsThereInAHigherEpoch() {
    putBackOlderRows(10, 5);

    OrderedStore store = open(options().lostCommits(LostCommits.ACCEPT));

    assertThat(rows(store)).isEqualTo(numberedRows(10));
    assertThat(store.lastCommit()).isEqualTo(10);
    assertThat(store.epoch()).isGreaterThan(2);
    writeNumbered(store, 1);
    store.close();
    assertThat(rows(open())).isEqualTo(numberedRows(11));
  }

  @Test
  void open_rowsTruncatedToNothing_isRefused() {
    writeAndClose(10);

    truncateData(0);

    assertRefusedAndUntouched();
  }

  @Test
  void open_rowsTruncatedToHalf_isRefused() {
    writeAndClose(2_000);

    truncateData(0.5);

    assertRefusedAndUntouched();
  }

  @Test
  void open_rowsDeleted_isRefused() {
    writeAndClose(10);

    deleteData();

    assertThatThrownBy(this::open).isInstanceOf(StoreCorruptException.class);
    assertThatThrownBy(this::open).isInstanceOf(StoreCorruptException.class);
  }

  @Test
  void open_rowsDeletedAndAccepted_beginsEmptyInAHigherEpoch() {
    writeAndClose(10);
    deleteData();

    OrderedStore store = open(options().lostCommits(LostCommits.ACCEPT));

    assertThat(rows(store)).isEmpty();
    assertThat(store.epoch()).isGreaterThan(1);
    writeNumbered(store, 1);
  }

  @Test
  void open_processDiedInBetween_lossIsStillTold() throws Exception {
    writeAndClose(10);
    Map<Path, byte[]> older = dataFiles();
    try (StoreProcess process = StoreProcess.start(factory.scheme(), folder(), 5)) {
      assertThat(process.epoch()).isPositive();
      process.kill();
    }

    restore(older);

    assertRefusedAndUntouched();
  }

  @Test
  void open_nothingLost_isNotRefusedWhateverIsAccepted() {
    writeAndClose(10);

    for (LostCommits lostCommits : LostCommits.values()) {
      OrderedStore store = open(options().lostCommits(lostCommits));
      assertThat(rows(store)).isEqualTo(numberedRows(10));
      store.close();
    }
  }

  @Test
  void settle_forASecondWithNothingElseToDo_remembersWhatIsDurable() {
    writeAndClose(5);
    Map<Path, byte[]> older = dataFiles();
    OrderedStore store = open();
    writeNumbered(store, 5);
    store.sync();
    settleForASecond(store);
    Map<Path, byte[]> asKilled = contents(false);
    store.close();

    restore(older);
    write(asKilled);

    assertRefusedAndUntouched();
  }

  /** Settles the store for longer than the second that {@link OrderedStore#settle} speaks of. */
  private static void settleForASecond(OrderedStore store) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1_500);
    while (System.nanoTime() - end < 0) {
      store.settle();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private void assertRefusedAndUntouched() {
    Map<Path, byte[]> before = dataFiles();

    assertThatThrownBy(this::open).isInstanceOf(StoreCorruptException.class);
    assertThatThrownBy(() -> open(options().access(Access.READ_ONLY)))
        .isInstanceOf(StoreCorruptException.class);
    // Refused again: the first refusal must not have made the loss the new truth.
    assertThatThrownBy(this::open).isInstanceOf(StoreCorruptException.class);

    Map<Path, byte[]> after = dataFiles();
    assertThat(after.keySet()).isEqualTo(before.keySet());
    before.forEach((file, bytes) -> assertThat(after.get(file)).isEqualTo(bytes));
  }

  /** Leaves a folder whose rows end where they did before the last {@code lostCount} batches. */
  private void putBackOlderRows(int keptCount, int lostCount) {
    writeAndClose(keptCount);
    Map<Path, byte[]> older = dataFiles();
    writeAndClose(lostCount);
    restore(older);
  }

  private void writeAndClose(int batchCount) {
    OrderedStore store = open();
    writeNumbered(store, batchCount);
    store.sync();
    store.close();
  }

  private Map<Path, byte[]> dataFiles() {
    return contents(true);
  }

  private Map<Path, byte[]> contents(boolean isData) {
    Map<Path, byte[]> files = new LinkedHashMap<>();
    try {
      for (Path file : paths(isData)) {
        files.put(file, Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  private void restore(Map<Path, byte[]> files) {
    deleteData();
    write(files);
  }

  private static void write(Map<Path, byte[]> files) {
    files.forEach(
        (file, bytes) -> {
          try {
            Files.write(file, bytes);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private void truncateData(double fraction) {
    try {
      for (Path file : dataPaths()) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate((long) (channel.size() * fraction));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void deleteData() {
    try {
      for (Path file : dataPaths()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Path> dataPaths() throws IOException {
    return paths(true);
  }

  private List<Path> paths(boolean isData) throws IOException {
    try (Stream<Path> files = Files.walk(folder())) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> fixture.isDataFile(file.getFileName().toString()) == isData)
          .toList();
    }
  }
}
