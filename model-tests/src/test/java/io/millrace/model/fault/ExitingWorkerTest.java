package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobState;
import io.millrace.api.PageRequest;
import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that bring their process to its end, which somebody starts again each time. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("thorough")
class ExitingWorkerTest {

  @TempDir Path folder;

  /** A halt is counted from the second time on: its lease may not have reached the store before. */
  @ParameterizedTest
  @CsvSource({"exit,2", "halt,3", "term,7"})
  void handler_endsItsProcess_jobIsDeadAfterSoManyStarts(String how, int startsMost)
      throws IOException {
    Machine.require("kill");
    String location = "lmdb:" + folder.resolve("store");

    int starts = 0;
    Job job = null;
    while (job == null || job.state() != JobState.DEAD) {
      assertThat(++starts).as("starts until it is dead").isLessThanOrEqualTo(startsMost);
      try (FaultProcess process =
          FaultProcess.start(FaultProcess.World.ORDINARY, ExitingWorker.class, location, how)) {
        assertThat(process.status()).isEqualTo(how.equals("term") ? 143 : 3);
      }
      job = found(location);
    }

    assertThat(job.attempts()).isEqualTo(ExitingWorker.ATTEMPTS);
  }

  private static Job found(String location) {
    try (JobEngine engine = JobEngine.open(location)) {
      return engine.list(JobFilter.ALL, PageRequest.first(1)).items().get(0);
    }
  }
}
