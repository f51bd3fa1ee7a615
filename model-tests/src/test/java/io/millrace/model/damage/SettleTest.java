package io.millrace.model.damage;

import static java.util.Comparator.comparingLong;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreOptions.Access;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An engine that has nothing to do leaves a store that can tell whether anything was lost. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("slow")
class SettleTest {

  private static final int SLOT_OFFSET_BYTES = 4_096;

  @TempDir Path folder;

  /** The newest commit that a store once knew to be durable. */
  private record Watermark(long sequence, long epoch, long commit) {

    static Watermark read(Path store) throws IOException {
      ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(store.resolve("WATERMARK")));
      return Stream.of(0, SLOT_OFFSET_BYTES)
          .map(
              at ->
                  new Watermark(file.getLong(at + 4), file.getLong(at + 12), file.getLong(at + 20)))
          .max(comparingLong(Watermark::sequence))
          .orElseThrow();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void engine_isIdle_watermarkReachesTheLastCommit(String scheme) throws IOException {
    Path store = folder.resolve("store");
    try (JobEngine engine = JobEngine.open(scheme + ":" + store)) {
      for (int i = 0; i < 20; i++) {
        engine.queue("mail").enqueue(new byte[100]);
      }
      Watermark before = Watermark.read(store);

      while (Watermark.read(store).equals(before)) {
        LockSupport.parkNanos(10_000_000);
      }

      Path killed = folder.resolve("killed");
      StorePlace place = StorePlace.of(new Specimen(scheme, store, store).copyTo(killed));
      try (OrderedStore held = place.factory().open(place.options().access(Access.READ_ONLY))) {
        assertThat(Watermark.read(killed).commit()).isEqualTo(held.lastCommit());
        assertThat(Watermark.read(killed).epoch()).isEqualTo(held.epoch());
      }
    }
  }
}
