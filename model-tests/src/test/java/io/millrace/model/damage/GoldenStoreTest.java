package io.millrace.model.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.DeadFilter;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.model.ManualClock;
import io.millrace.model.Setup;
import io.millrace.model.damage.Contents.Stop;
import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** TODO */
class GoldenStoreTest {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"lmdb, CLOSED", "lmdb, KILLED", "rocksdb, CLOSED", "rocksdb, KILLED"})
  void explore(String scheme, Stop stop) throws Exception {
    Path store = folder.resolve("store");
    StorePlace place = StorePlace.of(scheme + ":" + store);
    List<String> command = new ArrayList<>(Machine.java());
    command.addAll(List.of(GoldenStores.class.getName(), scheme + ":" + store, stop.name()));
    assertThat(Machine.join(new ProcessBuilder(command).inheritIO().start())).isZero();
    GoldenStores.dropQueue(place);
    ManualClock clock = new ManualClock(GoldenStores.START_MS + 600_000, 0);
    try (JobEngine engine = JobEngine.open(place.factory(), place.options(), Setup.DEFAULT.options(clock).processStart(Instant.ofEpochMilli(99)))) {
      System.out.println("== " + scheme + " " + stop);
      GoldenView.queues(engine).forEach(System.out::println);
      GoldenView.jobs(engine).forEach(System.out::println);
      System.out.println(engine.verify());
    }
  }
}
