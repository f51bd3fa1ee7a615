package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More queues than the heap has room for, in less time than it takes a queue to be idle. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("thorough")
class ManyNamesTest {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void queues_moreThanTheHeapHasRoomFor_areAllServed(String scheme) throws IOException {
    int count = Trials.count("names", 30_000, 40_000, 200_000);
    String location = scheme + ":" + folder.resolve("store");
    // A full heap ends the process: it would spend minutes on collecting garbage before it failed.
    FaultProcess.World small =
        new FaultProcess.World(
            List.of(),
            Map.of(),
            List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"));

    FaultProcess.Findings findings;
    try (FaultProcess process = FaultProcess.start(small, ManyNamesWorker.class, location, count)) {
      findings = process.findings();
    }

    assertThat(findings.violations()).isEmpty();
    assertThat(findings.tried()).hasSize(1);
    Trials.report(getClass(), scheme + ": " + findings.tried());
    try (JobEngine engine = JobEngine.open(location)) {
      assertThat(engine.verify().problems()).isEmpty();
    }
  }
}
