package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.model.rig.EngineHarness;
import java.time.Duration;
import java.util.List;

/** What the tests of batches share: a batch that is watched, and what came after it. */
abstract class BatchTrapTest extends TrapTest {

  static final QueueName MAIL = QueueName.of("mail");
  static final QueueName OTHER = QueueName.of("other");

  /** The queue of what comes after a batch. */
  static final QueueName AFTER = QueueName.of("after");

  static final String DONE = "done";
  static final String ALL_SUCCEEDED = "all succeeded";
  static final String ANY_DIED = "any died";

  static final EnqueueOptions PLAIN = EnqueueOptions.DEFAULT;
  static final EnqueueOptions ONCE = PLAIN.maxAttempts(1);
  static final EnqueueOptions AT_ONCE_AGAIN = PLAIN.backoff(Backoff.fixed(Duration.ZERO));
  static final FailOptions DEAD = FailOptions.PERMANENT;

  static NewJob job(String payload) {
    return job(payload, PLAIN);
  }

  static NewJob job(String payload, EnqueueOptions options) {
    return new NewJob(payload.getBytes(UTF_8), options);
  }

  /** A batch with one job of each kind to come after it. */
  static Batch watched() {
    return Batch.of("watched")
        .whenDone(AFTER, job(DONE))
        .whenAllSucceeded(AFTER, job(ALL_SUCCEEDED))
        .whenAnyDied(AFTER, job(ANY_DIED));
  }

  /** A watched batch whose jobs are in the queue "mail". */
  static Batch watched(String... payloads) {
    Batch batch = watched();
    for (String payload : payloads) {
      batch.add(MAIL, job(payload));
    }
    return batch;
  }

  static BatchId begin(EngineHarness harness, Batch batch) {
    return harness.queues().batches().start(batch);
  }

  static BatchId open(EngineHarness harness, Batch batch) {
    return harness.queues().batches().open(batch);
  }

  static EnqueueOptions in(BatchId id) {
    return PLAIN.batch(id);
  }

  static JobQueue after(EngineHarness harness) {
    return harness.queues().queue(AFTER);
  }

  static BatchStats stats(EngineHarness harness, BatchId id) {
    return harness.queues().batches().get(id).orElseThrow();
  }

  /** What came after the batch, and what still waits; the rest is gone. */
  static void assertAfter(EngineHarness harness, List<String> ready, List<String> waiting) {
    assertThat(peek(after(harness), JobState.READY)).containsExactlyInAnyOrderElementsOf(ready);
    assertThat(peek(after(harness), JobState.WAITING)).containsExactlyInAnyOrderElementsOf(waiting);
  }

  static void assertNothingAfter(EngineHarness harness) {
    assertAfter(harness, List.of(), List.of(DONE, ALL_SUCCEEDED, ANY_DIED));
  }

  static void assertAllSucceeded(EngineHarness harness) {
    assertAfter(harness, List.of(DONE, ALL_SUCCEEDED), List.of());
  }

  /** With a dead letter that may yet be redriven. */
  static void assertAnyDied(EngineHarness harness) {
    assertAfter(harness, List.of(DONE, ANY_DIED), List.of(ALL_SUCCEEDED));
  }

  /** The ids of the jobs of the batch that are there, in the order of the queues. */
  static List<JobId> jobs(EngineHarness harness, BatchId id) {
    JobFilter filter = JobFilter.ALL.batch(id);
    return Page.stream(page -> harness.queues().list(filter, page)).map(each -> each.id()).toList();
  }

  static JobId onlyJob(EngineHarness harness, BatchId id) {
    List<JobId> ids = jobs(harness, id);
    assertThat(ids).hasSize(1);
    return ids.get(0);
  }

  /** The id of the job that waits in the queue of what comes after. */
  static JobId waitingAfter(EngineHarness harness, String payload) {
    return Page.stream(page -> after(harness).peek(JobState.WAITING, page))
        .filter(each -> new String(each.payload(), UTF_8).equals(payload))
        .findFirst()
        .orElseThrow()
        .id();
  }

  /** What the batch says of itself in short: numbers that are not zero, in their order. */
  static String figures(BatchStats stats) {
    StringBuilder text = new StringBuilder();
    add(text, "left", stats.left());
    add(text, "running", stats.running());
    add(text, "succeeded", stats.succeeded());
    add(text, "dead", stats.dead());
    add(text, "failed", stats.failed());
    add(text, "cancelled", stats.cancelled());
    add(text, "expired", stats.expired());
    add(text, "purged", stats.purged());
    add(text, "lost", stats.lost());
    return text + (stats.isOver() ? "over" : "not over");
  }

  private static void add(StringBuilder text, String name, long count) {
    if (count != 0) {
      text.append(name).append('=').append(count).append(' ');
    }
  }

  static void assertFigures(EngineHarness harness, BatchId id, String figures) {
    assertThat(figures(stats(harness, id))).isEqualTo(figures);
  }

  /** Lets time pass and waits until what fell due has been stored. */
  static void pass(EngineHarness harness, Duration duration) {
    advance(harness, duration);
    harness.awaitNothingDue();
  }

  static void completeAll(EngineHarness harness, JobQueue queue, int count) {
    assertThat(harness.queues().completeAll(claim(queue, count)))
        .hasSize(count)
        .allMatch(result -> result.isDone());
  }
}
