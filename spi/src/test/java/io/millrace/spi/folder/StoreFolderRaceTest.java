package io.millrace.spi.folder;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.StoreException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders that several openings meet in while one of them makes the store. */
class StoreFolderRaceTest {

  private static final int ROUNDS = 50;

  @TempDir Path folder;

  @Test
  void open_whileTheStoreIsBeingMade_isLockedAndNothingElse() throws Exception {
    Set<String> refusals = new TreeSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      StoreOptions options = StoreOptions.of(folder.resolve("store" + round));
      FutureTask<Void> maker = new FutureTask<>(() -> open(options).close(), null);
      Thread thread = new Thread(maker, "maker");

      thread.start();
      while (!maker.isDone()) {
        try (StoreFolder opened = open(options)) {
          assertThat(opened.watermark()).isEqualTo(Watermark.NONE);
        } catch (StoreLockedException e) {
          Thread.onSpinWait();
        } catch (StoreException e) {
          refusals.add(String.valueOf(e.getMessage()).replaceAll("store\\d+", "store"));
        }
      }
      thread.join();
    }

    assertThat(refusals).isEmpty();
  }

  private static StoreFolder open(StoreOptions options) {
    return StoreFolder.open(options, "test", 1);
  }
}
