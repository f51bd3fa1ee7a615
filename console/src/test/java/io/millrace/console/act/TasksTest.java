package io.millrace.console.act;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EngineOptions;
import io.millrace.api.JobFilter;
import io.millrace.console.source.Changes.Outcome;
import io.millrace.console.source.LocalSource;
import io.millrace.console.source.Selection;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.FaultyStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TasksTest {

  @Test
  void begin_moreJobsThanATaskTakes_saysThatThereMayBeMore() {
    try (JobEngine engine =
            JobEngine.open(
                new FaultyStore(1),
                StoreOptions.of(Path.of("tasks")),
                EngineOptions.DEFAULT.management(EngineOptions.Management.OFF));
        Tasks tasks =
            new Tasks(
                new LocalSource(engine, Optional.of(engine), Optional.empty(), List.of()), 500)) {
      for (int i = 0; i < 501; i++) {
        engine.queue("mail").enqueue(new byte[] {1});
      }
      Selection mail = Selection.of(JobFilter.ALL.queueName("mail"));

      Task task = tasks.begin("jobs.cancel", mail, id -> new Outcome("SEEN", true));
      while (!task.isOver()) {
        Thread.onSpinWait();
      }

      assertThat(task.status().changed()).isEqualTo(500);
      assertThat(task.status().failure()).contains("there may be more");
    }
  }
}
