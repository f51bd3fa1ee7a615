package io.millrace.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobEnd;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobSignals;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.MatchingJobs;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.ResultJobType;
import io.millrace.api.Submitted;
import io.millrace.api.UpdateOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Calls on single jobs, signals, waits for ends, and batches. */
final class JobScripts {

  static final Map<String, SameAnswersTest.Script> ALL =
      Map.of(
          "jobs", JobScripts::jobs,
          "wrong jobs", JobScripts::wrong,
          "signals", JobScripts::signals,
          "ends", JobScripts::ends,
          "batches", JobScripts::batches,
          "wrong batches", JobScripts::wrongBatches);

  private static final ClaimOptions ONE = ClaimOptions.by("w");
  private static final JobId NONE = new JobId(1, 2);
  private static final ResultJobType<String, Long> COUNT =
      JobType.of("count", Codec.TEXT).queue("mail").returning(Codec.LONG);

  private JobScripts() {}

  private static JobId enqueued(JobQueues queues) {
    return queues.queue("mail").enqueue("hello".getBytes(UTF_8)).jobId();
  }

  private static Lease leased(JobQueues queues) {
    enqueued(queues);
    return queues.queue("mail").claim(ONE).get(0);
  }

  private static void jobs(JobQueues queues, Told told) {
    Instant late = Instant.parse("2200-01-01T00:00:00Z");
    Lease lease = leased(queues);
    JobId waiting = enqueued(queues);
    told.of("reschedule", () -> queues.reschedule(waiting, late));
    told.of("reschedule running", () -> queues.reschedule(lease.jobId(), late));
    told.of("reschedule none", () -> queues.reschedule(NONE, late));
    UpdateOptions changes =
        UpdateOptions.NOTHING
            .priority(4)
            .payload("changed".getBytes(UTF_8))
            .headers(Map.of("a", "b"));
    told.of("update", () -> queues.update(waiting, changes));
    told.of("updated", () -> queues.get(waiting));
    told.of("update by function", () -> queues.update(waiting, it -> it.maxAttempts(3)));
    told.of("update running", () -> queues.update(lease.jobId(), changes));
    told.of("update none", () -> queues.update(NONE, changes));
    told.of("cancel if waiting", () -> queues.cancelIfWaiting(lease.jobId()));
    told.of("cancel", () -> queues.cancel(lease.jobId()));
    told.of("cancel waiting", () -> queues.cancelIfWaiting(waiting));
    told.of("cancel none", () -> queues.cancel(NONE));
    told.of("release cancelled", () -> queues.admin().release(lease.jobId()));
    Lease hanging = leased(queues);
    told.of("release", () -> queues.admin().release(hanging.jobId()));
    told.of("stale", hanging::complete);
    told.of("release waiting", () -> queues.admin().release(hanging.jobId()));
    told.of("release none", () -> queues.admin().release(NONE));
    Lease stuck = queues.queue("mail").claim(ONE).get(0);
    told.of("not stuck", () -> queues.admin().failStuck(stuck.jobId(), "x"));
    var unused = stuck.waitFor("never");
    told.of("stuck", () -> queues.admin().failStuck(stuck.jobId(), "given up"));
    told.of("died", () -> queues.get(stuck.jobId()));
    told.of("stuck none", () -> queues.admin().failStuck(NONE, "x"));
    queues.queue("mail").enqueueAll(Collections.nCopies(7, NewJob.of(new byte[1])));
    told.of("matching", () -> MatchingJobs.of(queues, JobFilter.ALL.queueName("mail")).cancel());
  }

  private static void wrong(JobQueues queues, Told told) {
    told.of("cancel", () -> queues.cancel(null));
    told.of("cancelIfWaiting", () -> queues.cancelIfWaiting(null));
    told.of("reschedule", () -> queues.reschedule(NONE, Instant.MAX));
    told.of("reschedule null", () -> queues.reschedule(null, Instant.EPOCH));
    told.of("update", () -> queues.update(NONE, (UpdateOptions) null));
    told.of("update null", () -> queues.update(null, UpdateOptions.NOTHING));
    told.of("release", () -> queues.admin().release(null));
    told.of("failStuck", () -> queues.admin().failStuck(NONE, null));
    told.of("failStuck null", () -> queues.admin().failStuck(null, "x"));
    told.of("with", () -> queues.with(null) == null);
    told.later("await", () -> queues.await(null));
    JobSignals signals = queues.signals();
    byte[] tooLong = new byte[Limits.SIGNAL_BYTES_MAX + 1];
    QueueName mail = QueueName.of("mail");
    told.of("signal", () -> signals.signal(NONE, "", new byte[0]));
    told.of("signal payload", () -> signals.signal(NONE, "go", tooLong));
    told.of("signal null", () -> signals.signal(null, "go", new byte[0]));
    told.later("signalAsync", () -> signals.signalAsync(NONE, "go", null));
    told.of("signalAll", () -> signals.signalAll(null, "go", new byte[0]));
    told.of("signalAll one", () -> signals.signalAll(Arrays.asList(NONE, null), "go", tooLong));
    told.later(
        "signalAllAsync",
        () -> signals.signalAllAsync(Collections.nCopies(10_001, NONE), "go", new byte[0]));
    told.of("broadcast", () -> signals.broadcast(mail, "go", new byte[0], Duration.ofDays(-1)));
    told.of("broadcast name", () -> signals.broadcast(mail, "x".repeat(2_000), new byte[0]));
    told.of("broadcast payload", () -> signals.broadcast(mail, "go", tooLong));
    told.of("broadcast null", () -> signals.broadcast(null, "go", new byte[0]));
  }

  private static void signals(JobQueues queues, Told told) {
    JobSignals signals = queues.signals();
    JobId first = enqueued(queues);
    JobId second = enqueued(queues);
    byte[] payload = {1, 2};
    told.of("signal", () -> signals.signal(first, "go", payload));
    told.of("signal text", () -> queues.signal(first, "go", Codec.TEXT, "on"));
    told.later("signalAsync", () -> signals.signalAsync(second, "go", payload));
    told.of("signalAll", () -> signals.signalAll(List.of(first, NONE, second), "go", payload));
    told.of("signalAll none", () -> signals.signalAll(List.of(), "go", payload));
    told.later("signalAllAsync", () -> signals.signalAllAsync(List.of(second), "go", payload));
    told.later("signalAllAsync none", () -> signals.signalAllAsync(List.of(), "go", payload));
    for (int i = 0; i < Limits.INBOX_COUNT_MAX; i++) {
      var unused = signals.signal(first, "more", payload);
    }
    told.of("inbox full", () -> signals.signal(first, "more", payload));
    told.of("taken", () -> queues.queue("mail").claim(ONE).get(0).waitFor("go"));
  }

  private static void ends(JobQueues queues, Told told) {
    EnqueueOptions kept = EnqueueOptions.DEFAULT.resultRetention(Duration.ofHours(1));
    queues.queue("mail").enqueue("hello".getBytes(UTF_8), kept);
    Lease first = queues.queue("mail").claim(ONE).get(0);
    CompletableFuture<JobEnd<byte[]>> completed = queues.await(first.jobId());
    CompletableFuture<JobEnd<byte[]>> cancelled = queues.await(first.jobId());
    told.of("cancel the wait", () -> cancelled.cancel(false));
    told.of("complete", () -> first.complete("done".getBytes(UTF_8)));
    told.later("completed", () -> completed);
    told.later("kept", () -> queues.await(first.jobId()));
    Lease brief = leased(queues);
    told.of("complete brief", brief::complete);
    told.later("gone", () -> queues.await(brief.jobId()));
    told.later("none", () -> queues.await(NONE));
    Lease second = leased(queues);
    told.of("fail", () -> second.fail("broken", FailOptions.PERMANENT));
    told.later("died", () -> queues.await(second.jobId()));
    Submitted<byte[]> over = queues.queue("mail").submit(new byte[1]);
    told.of("end", () -> queues.queue("mail").claim(ONE).get(0).complete(new byte[] {7}));
    told.later("over", over::end);
    Submitted<byte[]> third = queues.queue("mail").submit(new byte[1]);
    told.of("cancel", () -> queues.cancel(third.jobId()));
    told.later("cancelled", third::end);
    Submitted<Long> typed = queues.submit(COUNT, "abc", it -> it.priority(5));
    told.of("typed", () -> queues.queue("mail").claim(ONE).get(0).complete(Codec.LONG.encode(3L)));
    told.later("typed end", typed::end);
    Submitted<Long> wrong = queues.submit(COUNT, "abc", it -> it.priority(5));
    told.of("wrong", () -> queues.queue("mail").claim(ONE).get(0).complete(new byte[1]));
    told.of(
        "wrong end",
        () -> wrong.end().handle((end, thrown) -> String.valueOf(thrown.getCause())).join());
    Submitted<byte[]> dropped =
        queues
            .queue("brief")
            .submit(
                new byte[1],
                EnqueueOptions.DEFAULT.delay(Duration.ofHours(1)).timeToLive(Duration.ofHours(2)));
    told.of("delete", () -> queues.queue("brief").delete());
    told.later("deleted", dropped::end);
  }

  private static void batches(JobQueues queues, Told told) {
    Batch batch =
        Batch.of("import")
            .add(QueueName.of("mail"), NewJob.of(new byte[1]))
            .add(QueueName.of("mail"), NewJob.of(new byte[2]))
            .whenDone(QueueName.of("after"), NewJob.of(new byte[3]))
            .keepResults();
    BatchId id = told.of("start", () -> batch.start(queues));
    CompletableFuture<BatchStats> over = queues.batches().await(id);
    told.of("get", () -> queues.batches().get(id));
    told.of("get none", () -> queues.batches().get(new BatchId(999)));
    Lease first = queues.queue("mail").claim(ONE).get(0);
    told.of("job", first::batch);
    told.of("release", first::release);
    for (Lease lease : queues.queue("mail").claim(ONE.max(5))) {
      told.of("complete", () -> lease.complete("result".getBytes(UTF_8)));
    }
    told.later("over", () -> over);
    told.of("results", () -> queues.batches().results(id, PageRequest.first(1)));
    told.of("list", () -> queues.batches().list(PageRequest.first(9)));
    BatchId open = told.of("open", () -> Batch.of("open").within(id).open(queues));
    BatchId second = Batch.of("second").open(queues);
    EnqueueOptions joining = EnqueueOptions.DEFAULT.batch(second);
    told.of("join", () -> queues.queue("mail").enqueue(new byte[1], joining));
    told.of("inner", () -> Batch.of("inner").within(second).open(queues));
    told.of("cancel", () -> queues.batches().cancel(second));
    told.of("cancelled join", () -> queues.queue("mail").offer(new byte[1], joining));
    told.of("cancelled inner", () -> Batch.of("late").within(second).open(queues));
    told.done("seal", () -> queues.batches().seal(second));
    told.of("open", () -> open == null);
    told.later("await over", () -> queues.batches().await(second));
  }

  private static void wrongBatches(JobQueues queues, Told told) {
    BatchId none = new BatchId(999);
    told.of("start", () -> queues.batches().start(null));
    told.of("within", () -> Batch.of("x").within(none).start(queues));
    told.of(
        "after of none",
        () ->
            Batch.of("x")
                .whenDone(
                    QueueName.of("mail"),
                    new NewJob(new byte[0], EnqueueOptions.DEFAULT.batch(none)))
                .start(queues));
    queues.queue("full").configure(it -> it.depthMax(1));
    queues.queue("full").enqueue(new byte[0]);
    told.of(
        "full",
        () -> Batch.of("x").add(QueueName.of("full"), NewJob.of(new byte[0])).start(queues));
    told.done("seal", () -> queues.batches().seal(none));
    told.done("seal null", () -> queues.batches().seal(null));
    told.of("cancel", () -> queues.batches().cancel(none));
    told.of("cancel null", () -> queues.batches().cancel(null));
    told.later("await", () -> queues.batches().await(none));
    told.later("await null", () -> queues.batches().await(null));
    told.of("get null", () -> queues.batches().get(null));
    told.of("list null", () -> queues.batches().list(null));
    told.of("results", () -> queues.batches().results(none, PageRequest.first(1)));
    told.of("results null", () -> queues.batches().results(none, null));
  }
}
