package io.millrace.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.AfterCommit;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Leases in transactions. */
final class TransactionLeaseScripts {

  static final Map<String, SameAnswersTest.Script> ALL =
      Map.of(
          "leases in transactions", TransactionLeaseScripts::leases,
          "sleeping leases in transactions", TransactionLeaseScripts::sleepingLeases,
          "kept leases in transactions", TransactionLeaseScripts::keptLeases,
          "waiting leases in transactions", TransactionLeaseScripts::waitingLeases);

  private static final QueueName MAIL = QueueName.of("mail");
  private static final JobId NONE = new JobId(1, 2);

  private TransactionLeaseScripts() {}

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static Lease leased(JobQueues queues) {
    queues.queue(MAIL).enqueue(bytes("hello"));
    return queues.queue(MAIL).claim(ClaimOptions.by("w")).get(0);
  }

  private static void leases(JobQueues queues, Told told) {
    List<AfterCommit<?>> after = new ArrayList<>();
    Lease done = leased(queues);
    told.of(
        "complete",
        () ->
            queues.transact(
                tx -> {
                  tx.complete(done);
                  return 1;
                }));
    told.of(
        "complete again",
        () ->
            queues
                .transact(
                    tx -> {
                      tx.complete(done);
                      return 1;
                    })
                .getClass());
    told.done("close changes nothing", done::close);
    Lease result = leased(queues);
    told.of(
        "complete with result",
        () ->
            queues.transact(
                tx -> {
                  tx.complete(result, bytes("r"));
                  return 1;
                }));
    Lease failed = leased(queues);
    told.of(
        "fail",
        () ->
            queues.transact(
                tx -> {
                  after.add(tx.fail(failed, "why", FailOptions.PERMANENT));
                  return 1;
                }));
    Lease released = leased(queues);
    told.of(
        "release",
        () ->
            queues.transact(
                tx -> {
                  after.add(tx.release(released));
                  return 1;
                }));
    after.forEach(answer -> told.of("after", answer::get));
  }

  private static void sleepingLeases(JobQueues queues, Told told) {
    List<AfterCommit<?>> after = new ArrayList<>();
    Lease snoozed = leased(queues);
    told.of(
        "snooze",
        () ->
            queues.transact(
                tx -> {
                  after.add(tx.snooze(snoozed, Duration.ofDays(1)));
                  return 1;
                }));
    Lease until = leased(queues);
    told.of(
        "snooze until",
        () ->
            queues.transact(
                tx -> {
                  after.add(tx.snooze(until, Instant.parse("2200-01-01T00:00:00Z")));
                  return 1;
                }));
    Lease waits = leased(queues);
    told.of(
        "waitFor",
        () ->
            queues.transact(
                tx -> {
                  after.add(tx.waitFor(waits, "s", Duration.ofDays(1)));
                  return 1;
                }));
    told.of(
        "signal",
        () ->
            queues.transact(
                tx -> {
                  after.add(tx.signal(waits.jobId(), "s", bytes("p")));
                  after.add(tx.signal(NONE, "s", bytes("p")));
                  return 1;
                }));
    after.forEach(answer -> told.of("after", answer::get));
  }

  private static void keptLeases(JobQueues queues, Told told) {
    List<AfterCommit<?>> after = new ArrayList<>();
    Lease kept = leased(queues);
    told.of(
        "checkpoint and extend",
        () ->
            queues.transact(
                tx -> {
                  var extended = tx.extend(kept, Duration.ofSeconds(50));
                  var stored = tx.checkpoint(kept, bytes("state"));
                  after.add(() -> extended.get().cancelRequested());
                  after.add(() -> stored.get().cancelRequested());
                  return 1;
                }));
    told.of("state", kept::checkpointed);
    told.of(
        "stale",
        () ->
            queues.transact(
                tx -> {
                  tx.complete(queues.lease(kept.jobId(), kept.token() + 1));
                  tx.enqueue(MAIL, bytes("never"));
                  return 1;
                }));
    told.of(
        "waitFor at",
        () ->
            queues.transact(
                tx -> {
                  after.add(tx.waitFor(kept, "s", Instant.parse("2200-01-01T00:00:00Z")));
                  return 1;
                }));
    after.forEach(answer -> told.of("after", answer::get));
  }

  private static void waitingLeases(JobQueues queues, Told told) {
    List<AfterCommit<?>> after = new ArrayList<>();
    Lease forever = leased(queues);
    told.of(
        "waitFor for ever",
        () ->
            queues.transact(
                tx -> {
                  after.add(tx.waitFor(forever, "s"));
                  return 1;
                }));
    BatchId batch = queues.batches().open(Batch.of("b"));
    Lease forBatch = leased(queues);
    told.of(
        "waitFor a batch",
        () ->
            queues.transact(
                tx -> {
                  after.add(tx.waitFor(forBatch, batch));
                  return 1;
                }));
    after.forEach(answer -> told.of("after", answer::get));
    told.of("stats", () -> queues.queue(MAIL).stats().map(stats -> stats.count(JobState.READY)));
  }
}
