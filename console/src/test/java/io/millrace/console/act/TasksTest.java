package io.millrace.console.act;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EngineOptions;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.PageRequest;
import io.millrace.api.UpdateOptions;
import io.millrace.console.source.Changes.Outcome;
import io.millrace.console.source.LocalSource;
import io.millrace.console.source.Selection;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.FaultyStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TasksTest {

  private static JobEngine engine() {
    return JobEngine.open(
        new FaultyStore(1),
        StoreOptions.of(Path.of("tasks")),
        EngineOptions.DEFAULT.management(EngineOptions.Management.OFF));
  }

  private static Tasks tasks(JobEngine engine, int jobCountMax) {
    return new Tasks(
        new LocalSource(engine, Optional.of(engine), Optional.empty(), List.of()), jobCountMax);
  }

  private static Task.Status ended(Task task) {
    while (!task.isOver()) {
      Thread.onSpinWait();
    }
    return task.status();
  }

  @Test
  void begin_jobIsInAnotherStateBeforeItsTurn_isLeftAlone() {
    try (JobEngine engine = engine();
        Tasks tasks = tasks(engine, 500)) {
      engine.queue("mail").enqueue(new byte[] {1});
      engine.queue("mail").enqueue(new byte[] {2});
      Selection ready = Selection.of(JobFilter.ALL.state(JobState.READY));
      List<JobId> jobs =
          engine.list(ready.filter(), PageRequest.first(2)).items().stream().map(Job::id).toList();

      Task task =
          tasks.begin(
              "jobs.cancel",
              ready,
              id -> {
                engine.reschedule(jobs.get(1), Instant.now().plusSeconds(60)).orThrow();
                return new Outcome("SEEN", true);
              });

      assertThat(ended(task).outcomes()).isEqualTo(Map.of("SEEN", 1L, "CHANGED_MEANWHILE", 1L));
    }
  }

  @Test
  void begin_jobHasAnotherPriorityBeforeItsTurn_isLeftAlone() {
    try (JobEngine engine = engine();
        Tasks tasks = tasks(engine, 500)) {
      JobId first = engine.queue("mail").enqueue(new byte[] {1}).jobId();
      JobId second = engine.queue("mail").enqueue(new byte[] {2}).jobId();

      Task task =
          tasks.begin(
              "jobs.cancel",
              Selection.of(JobFilter.ALL.priority(0, 5)),
              id -> {
                JobId other = id.equals(first) ? second : first;
                engine.update(other, UpdateOptions.NOTHING.priority(6)).orThrow();
                return new Outcome("SEEN", true);
              });

      assertThat(ended(task).outcomes()).isEqualTo(Map.of("SEEN", 1L, "CHANGED_MEANWHILE", 1L));
    }
  }

  @Test
  void begin_changeThrowsAnError_isTold() {
    try (JobEngine engine = engine();
        Tasks tasks = tasks(engine, 500)) {
      engine.queue("mail").enqueue(new byte[] {1});

      Task task =
          tasks.begin(
              "jobs.cancel",
              Selection.of(JobFilter.ALL),
              id -> {
                throw new StackOverflowError("too deep");
              });

      assertThat(ended(task).stage()).isEqualTo(Task.Stage.FAILED);
      assertThat(task.status().failure()).isEqualTo("too deep");
    }
  }

  @Test
  void begin_moreJobsThanATaskTakes_saysThatThereMayBeMore() {
    try (JobEngine engine = engine();
        Tasks tasks = tasks(engine, 500)) {
      for (int i = 0; i < 501; i++) {
        engine.queue("mail").enqueue(new byte[] {1});
      }
      Selection mail = Selection.of(JobFilter.ALL.queueName("mail"));

      Task task = tasks.begin("jobs.cancel", mail, id -> new Outcome("SEEN", true));

      assertThat(ended(task).changed()).isEqualTo(500);
      assertThat(task.status().failure()).contains("there may be more");
    }
  }
}
