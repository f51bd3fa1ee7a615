package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A heap that is full to the last bytes, again and again: everybody is answered, the engine works
 * again by itself, the process can be ended, and nothing acknowledged is lost.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("thorough")
class WantOfMemoryTest {

  private static final int TERMINATED = 143;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void heapIsFull_againAndAgain_everybodyIsAnsweredAndNothingAcknowledgedIsLost(String scheme)
      throws IOException {
    Machine.require("kill");
    int rounds = Trials.count("memory.rounds", 6, 8, 200);
    String location = scheme + ":" + folder.resolve("store");
    Path acknowledged = folder.resolve("acknowledged");
    FaultProcess.World small =
        new FaultProcess.World(List.of(), Map.of(), List.of("-Xmx48m", "-XX:+UseSerialGC"));

    List<String> said = new ArrayList<>();
    try (FaultProcess process =
        FaultProcess.start(small, WantOfMemoryWorker.class, location, rounds, acknowledged)) {
      process.await("waiting", said);
      Machine.run("kill", "-TERM", Long.toString(process.pid()));
      assertThat(process.status()).as("exit status; it said %s", said).isEqualTo(TERMINATED);
    }

    assertThat(said).noneMatch(line -> line.startsWith("violation: "));
    assertThat(said).anyMatch(line -> line.startsWith("tried: "));
    try (JobEngine engine = JobEngine.open(location)) {
      assertThat(engine.verify().problems()).isEmpty();
      Set<Integer> stored = stored(engine);
      for (String number : Files.readAllLines(acknowledged)) {
        assertThat(stored).contains(Integer.valueOf(number));
      }
    }
    said.stream()
        .filter(line -> line.startsWith("tried: "))
        .forEach(line -> Trials.report(getClass(), scheme + ", " + line));
  }

  private static Set<Integer> stored(JobEngine engine) {
    Set<Integer> stored = new HashSet<>();
    QueueName queue = QueueName.of(WantOfMemoryWorker.KEPT);
    Optional<String> cursor = Optional.empty();
    do {
      Page<Job> page = engine.peek(queue, JobState.READY, new PageRequest(1_000, cursor));
      page.items().forEach(job -> stored.add(ByteBuffer.wrap(job.payload()).getInt()));
      cursor = page.next();
    } while (cursor.isPresent());
    return stored;
  }
}
