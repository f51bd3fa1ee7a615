package io.millrace.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Backoff;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.Completion;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Claims, and what holders of leases do. */
final class LeaseScripts {

  static final Map<String, SameAnswersTest.Script> ALL =
      Map.of(
          "claims", LeaseScripts::claims,
          "ends of leases", LeaseScripts::ends,
          "leases that go on", LeaseScripts::goOn,
          "closed leases", LeaseScripts::closed,
          "waits for signals", LeaseScripts::waits,
          "leases that are named", LeaseScripts::named,
          "many leases", LeaseScripts::many,
          "wrong claims", LeaseScripts::wrongClaims,
          "wrong leases", LeaseScripts::wrongLeases);

  private static final QueueName MAIL = QueueName.of("mail");
  private static final ClaimOptions ONE = ClaimOptions.by("w");

  private LeaseScripts() {}

  /** Enqueues a job and claims it. */
  private static Lease leased(JobQueues queues, EnqueueOptions options) {
    queues.queue(MAIL).enqueue("hello".getBytes(UTF_8), options);
    return queues.queue(MAIL).claim(ONE).get(0);
  }

  private static Lease leased(JobQueues queues) {
    return leased(queues, EnqueueOptions.DEFAULT);
  }

  private static void claims(JobQueues queues, Told told) {
    JobQueue mail = queues.queue(MAIL);
    queues
        .queue(MAIL)
        .enqueue(
            "hello".getBytes(UTF_8),
            EnqueueOptions.DEFAULT.type("letter").header("to", "Ann").priority(7).weight(2));
    mail.enqueueAll(Collections.nCopies(8, NewJob.of(new byte[1])));
    queues.queue("mail", "acme").enqueueAll(Collections.nCopies(4, NewJob.of(new byte[2])));
    told.of("claim", () -> mail.claim(ONE));
    told.of("claim by name", () -> mail.claim("w", Duration.ofSeconds(20)));
    told.later("claimAsync", () -> mail.claimAsync(ONE.max(2)));
    told.of("claim of many", () -> queues.claim(List.of(QueueName.of("x"), MAIL), ONE));
    told.later("claimAsync of many", () -> queues.claimAsync(List.of(MAIL), ONE.capacity(5)));
    told.of("across", () -> queues.claimAcrossTenants("mail", ONE.max(2)));
    told.of(
        "across bounded",
        () ->
            queues.claimAcrossTenants(
                List.of("mail", "x"), ONE.max(3).maxPerQueue(Map.of(MAIL, 1))));
    told.later("acrossAsync", () -> queues.claimAcrossTenantsAsync("mail", ONE.max(20)));
    told.of("none", () -> mail.claim(ONE.waiting(Duration.ofMillis(10))));
    told.later("none async", () -> mail.claimAsync(ONE.waiting(Duration.ofMillis(10))));
    told.of("none across", () -> queues.claimAcrossTenants("mail", ONE));
  }

  private static void ends(JobQueues queues, Told told) {
    EnqueueOptions kept = EnqueueOptions.DEFAULT.resultRetention(Duration.ofHours(1));
    Lease first = leased(queues, kept);
    told.of("lease", () -> first);
    told.of("text", first::toString);
    told.of("complete", first::complete);
    told.of("complete again", first::complete);
    told.of("fail after", () -> first.fail("late"));
    told.of("release after", first::release);
    told.of("snooze after", () -> first.snooze(Duration.ofSeconds(1)));
    told.of("wait after", () -> first.waitFor("go"));
    told.of("extend after", () -> first.extend(Duration.ofSeconds(1)));
    told.of("checkpoint after", () -> first.checkpoint(new byte[1]));
    told.of("throws", () -> first.complete().orThrow());
    told.of("kept", () -> queues.get(first.jobId()));
    told.of("with a result", () -> leased(queues, kept).complete("done".getBytes(UTF_8)));
    told.later("completeAsync", () -> leased(queues).completeAsync());
    told.later("completeAsync result", () -> leased(queues).completeAsync(new byte[] {1}));
    Lease gone = leased(queues);
    told.of("deleted", () -> queues.queue(MAIL).delete());
    told.of("gone complete", gone::complete);
    told.of("gone fail", () -> gone.fail("x"));
    told.of("gone release", gone::release);
    told.of("gone wait", () -> gone.waitFor("x"));
    told.of("gone extend", () -> gone.extend(Duration.ofSeconds(1)));
    told.of(
        "retry", () -> leased(queues).fail("again", FailOptions.RETRY.delay(Duration.ofHours(1))));
    told.of(
        "backoff",
        () ->
            leased(queues)
                .fail("again", FailOptions.RETRY.backoff(Backoff.fixed(Duration.ofHours(1)))));
    told.of("die", () -> leased(queues).fail("never", FailOptions.PERMANENT));
    told.later("failAsync", () -> leased(queues).failAsync("never", FailOptions.PERMANENT));
    Lease cancelled = leased(queues);
    told.of("cancel", () -> queues.cancel(cancelled.jobId()));
    told.of("cancelled", () -> cancelled.fail("stopped"));
    told.of("release", () -> leased(queues).release());
    told.of("released", () -> queues.queue(MAIL).claim(ONE).get(0).complete());
    told.of("rest", () -> leased(queues).release(Duration.ofHours(1)));
    told.later("releaseAsync", () -> leased(queues).releaseAsync());
    told.of("again", () -> queues.queue(MAIL).claim(ONE).get(0).complete());
    told.later("restAsync", () -> leased(queues).releaseAsync(Duration.ofHours(1)));
    told.of("snooze", () -> leased(queues).snooze(Duration.ofHours(1)));
    told.of("snooze until", () -> leased(queues).snooze(Instant.now().plusSeconds(3_600)));
    told.later("snoozeAsync", () -> leased(queues).snoozeAsync(Duration.ofHours(1)));
    told.later(
        "snoozeAsync until",
        () -> leased(queues).snoozeAsync(Instant.parse("2200-01-01T00:00:00Z")));
    told.of("stats", () -> queues.queue(MAIL).stats());
  }

  private static void goOn(JobQueues queues, Told told) {
    Lease lease = leased(queues);
    told.of("extend", () -> lease.extend(Duration.ofMinutes(5)));
    told.of("lasts", () -> lease.remaining().compareTo(Duration.ofMinutes(4)) > 0);
    told.later("extendAsync", () -> lease.extendAsync(Duration.ofMinutes(6)));
    byte[] state = "half".getBytes(UTF_8);
    told.of("checkpoint", () -> lease.checkpoint(state));
    state[0] = 'X';
    told.of("checkpointed", lease::checkpointed);
    told.later("checkpointAsync", () -> lease.checkpointAsync("more".getBytes(UTF_8)));
    told.of("checkpointed more", lease::checkpointed);
    Lease other = lease.with(Durability.BUFFERED);
    told.of("shared", other::checkpointed);
    told.of("cancel", () -> queues.cancel(lease.jobId()));
    told.of("extend cancelled", () -> other.extend(Duration.ofMinutes(7)));
    told.of("learned", lease::cancelRequested);
    byte[] payload = lease.payload();
    payload[0] = 'X';
    told.of("own copy", lease::payload);
    told.of("headers", () -> lease.headers().put("a", "b"));
    told.of("complete", other::complete);
    told.done("close", lease::close);
    Lease asked = leased(queues);
    var unused = queues.cancel(asked.jobId());
    told.of("extendAll", () -> queues.extendAll(List.of(asked), Duration.ofMinutes(9)));
    told.of("learned by all", asked::cancelRequested);
    told.of("lasts by all", () -> asked.remaining().compareTo(Duration.ofMinutes(8)) > 0);
    told.of("release cancelled", asked::release);
    told.of("gone", () -> queues.get(asked.jobId()));
  }

  private static void closed(JobQueues queues, Told told) {
    Lease lease = leased(queues);
    told.done("close", lease::close);
    told.done("close again", lease::close);
    told.of("failed", () -> queues.get(lease.jobId()));
    Lease done = leased(queues);
    told.later("complete", done::completeAsync);
    told.done("close done", done::close);
    Lease shared = leased(queues);
    told.of("release", () -> shared.with(Durability.BUFFERED).release());
    told.done("close shared", shared::close);
    told.of("not failed", () -> queues.get(shared.jobId()).orElseThrow().lastError());
    Lease bulk = queues.queue(MAIL).claim(ONE).get(0);
    told.of("bulk", () -> queues.releaseAll(List.of(bulk)));
    told.done("close bulk", bulk::close);
    told.of("not failed by bulk", () -> queues.get(bulk.jobId()).orElseThrow().lastError());
    Lease stale = queues.queue(MAIL).claim(ONE).get(0);
    told.of("take away", () -> queues.admin().release(stale.jobId()));
    told.done("close stale", stale::close);
    told.of("not failed late", () -> queues.get(stale.jobId()).orElseThrow().lastError());
  }

  private static void waits(JobQueues queues, Told told) {
    Lease first = leased(queues);
    told.of("wait", () -> first.waitFor("go"));
    told.of("signal", () -> queues.signal(first.jobId(), "go", "on".getBytes(UTF_8)));
    Lease woken = queues.queue(MAIL).claim(ONE).get(0);
    told.of("wake", woken::wake);
    woken.signalled("go").orElseThrow()[0] = 'X';
    told.of("own copy", () -> woken.signalled("go"));
    told.of("decoded", () -> woken.signalled("go", Codec.TEXT));
    told.of("fail", () -> woken.fail("x", FailOptions.RETRY.delay(Duration.ZERO)));
    Lease retried = queues.queue(MAIL).claim(ONE.waiting(Duration.ofSeconds(5))).get(0);
    told.of("retried", retried::wake);
    told.of("wait most", () -> retried.waitFor("go", Duration.ofHours(1)));
    told.of("wait now", () -> leased(queues).waitFor("go", Duration.ZERO));
    Lease late = queues.queue(MAIL).claim(ONE).get(0);
    told.of("timed out", () -> late.hasTimedOut("go"));
    told.of("wait until", () -> late.waitFor("go", Instant.parse("2200-01-01T00:00:00Z")));
    told.later("waitAsync", () -> leased(queues).waitForAsync("go"));
    told.later("waitAsync most", () -> leased(queues).waitForAsync("go", Duration.ofHours(1)));
    told.later(
        "waitAsync until",
        () -> leased(queues).waitForAsync("go", Instant.parse("2200-01-01T00:00:00Z")));
    told.of("broadcast", () -> queues.signals().broadcast(MAIL, "go", new byte[0]));
    told.of("broadcast kept", () -> queues.signals().broadcast(MAIL, "stop", new byte[2]));
    told.of(
        "broadcast lost", () -> queues.signals().broadcast(MAIL, "x", new byte[2], Duration.ZERO));
    Lease waiter = leased(queues, EnqueueOptions.DEFAULT.priority(9));
    BatchId batch = queues.batches().open(Batch.of("b"));
    told.of("wait batch", () -> waiter.waitFor(batch));
    told.done("seal", () -> queues.batches().seal(batch));
    Lease after = queues.queue(MAIL).claim(ONE).get(0);
    told.of("after batch", after::wake);
    told.later("wait over", () -> after.waitForAsync(batch));
    told.of("wait no batch", () -> queues.queue(MAIL).claim(ONE).get(0).waitFor(new BatchId(99)));
  }

  private static void named(JobQueues queues, Told told) {
    Lease lease = leased(queues, EnqueueOptions.DEFAULT.header("to", "Ann"));
    Lease named = queues.lease(lease.jobId(), lease.token());
    told.of("text", named::toString);
    told.of("named", () -> named);
    told.of("extend", () -> named.extend(Duration.ofMinutes(3)));
    told.of("lasts", () -> named.remaining().compareTo(Duration.ofMinutes(2)) > 0);
    told.of("complete", named::complete);
    told.of("stale", lease::complete);
    Lease over = queues.lease(lease.jobId(), lease.token());
    told.of("over", over::attempt);
    told.of("over left", over::remaining);
    told.of("over complete", over::complete);
    told.done("over close", over::close);
    Lease closed = leased(queues);
    told.done("close", () -> queues.lease(closed.jobId(), closed.token()).close());
    told.of("failed", () -> queues.get(closed.jobId()));
    told.of("wrong id", () -> queues.lease(new JobId(-1, 7), 1));
    told.of("wrong token", () -> queues.lease(closed.jobId(), 0));
    told.of("null", () -> queues.lease(null, 1));
  }

  private static void many(JobQueues queues, Told told) {
    JobQueue mail = queues.queue(MAIL);
    EnqueueOptions kept = EnqueueOptions.DEFAULT.resultRetention(Duration.ofHours(1));
    mail.enqueueAll(Collections.nCopies(20, new NewJob(new byte[1], kept)));
    List<Lease> leases = mail.claim(ONE.max(20));
    told.of("extendAll", () -> queues.extendAll(leases, Duration.ofMinutes(1)));
    told.later("extendAllAsync", () -> queues.extendAllAsync(leases, Duration.ofMinutes(2)));
    told.of("completeAll", () -> queues.completeAll(leases.subList(0, 2)));
    told.of("again", () -> queues.completeAll(leases.subList(0, 3)));
    told.later("completeAllAsync", () -> queues.completeAllAsync(leases.subList(3, 5)));
    told.of(
        "withResults",
        () ->
            queues.completeAllWithResults(
                List.of(
                    new Completion(leases.get(5), new byte[] {5}),
                    new Completion(leases.get(6), new byte[] {6}))));
    told.of("result", () -> queues.get(leases.get(6).jobId()).orElseThrow().result());
    told.later(
        "withResultsAsync",
        () ->
            queues.completeAllWithResultsAsync(
                List.of(new Completion(leases.get(7), new byte[0]))));
    told.of("failAll", () -> queues.failAll(leases.subList(8, 10), "e", FailOptions.PERMANENT));
    told.later(
        "failAllAsync",
        () -> queues.failAllAsync(leases.subList(10, 12), "e", FailOptions.PERMANENT));
    told.of("releaseAll", () -> queues.releaseAll(leases.subList(12, 14)));
    told.later("releaseAllAsync", () -> queues.releaseAllAsync(leases.subList(14, 16)));
    for (Function<List<Lease>, Object> none :
        List.<Function<List<Lease>, Object>>of(
            queues::completeAll,
            queues::releaseAll,
            all -> queues.failAll(all, "e", FailOptions.RETRY),
            all -> queues.extendAll(all, Duration.ofMinutes(1)))) {
      told.of("none", () -> none.apply(List.of()));
      told.of("null", () -> none.apply(null));
      told.of("null lease", () -> none.apply(Arrays.asList(leases.get(16), null)));
      told.of("too many", () -> none.apply(Collections.nCopies(10_001, leases.get(16))));
    }
    told.of("completions null", () -> queues.completeAllWithResults(null));
    told.of(
        "completion null", () -> queues.completeAllWithResults(Arrays.asList((Completion) null)));
    Completion big = new Completion(leases.get(17), new byte[Limits.RESULT_BYTES_MAX]);
    told.of(
        "results too long",
        () ->
            queues.completeAllWithResults(
                Collections.nCopies(Limits.CALL_BYTES_MAX / Limits.RESULT_BYTES_MAX + 1, big)));
    told.of("failAll error", () -> queues.failAll(leases, null, FailOptions.RETRY));
    told.of("failAll how", () -> queues.failAll(leases, "e", null));
    told.of("extendAll time", () -> queues.extendAll(leases, Duration.ZERO));
    told.of("stats", mail::stats);
  }

  private static void wrongClaims(JobQueues queues, Told told) {
    ClaimOptions bounded = ONE.maxPerQueue(Map.of(new QueueName("mail", "acme"), 1));
    List<QueueName> tooMany = Collections.nCopies(Limits.CLAIM_QUEUE_COUNT_MAX + 1, MAIL);
    told.of("claim", () -> queues.queue(MAIL).claim(null));
    told.later("claimAsync", () -> queues.queue(MAIL).claimAsync(null));
    told.of("none", () -> queues.claim(List.of(), ONE));
    told.of("many", () -> queues.claim(tooMany, ONE));
    told.later("many async", () -> queues.claimAsync(tooMany, ONE));
    told.of("null", () -> queues.claim(null, ONE));
    told.of("across", () -> queues.claimAcrossTenants("", ONE));
    told.of("across null", () -> queues.claimAcrossTenants((String) null, ONE));
    told.of("across none", () -> queues.claimAcrossTenants(List.of(), ONE));
    told.of("across bounded", () -> queues.claimAcrossTenants("mail", bounded));
    told.later("across async", () -> queues.claimAcrossTenantsAsync("mail", bounded));
    told.of("across options", () -> queues.claimAcrossTenants("mail", null));
  }

  private static void wrongLeases(JobQueues queues, Told told) {
    Lease lease = leased(queues);
    told.of("result", () -> lease.complete(new byte[Limits.RESULT_BYTES_MAX + 1]));
    told.later("resultAsync", () -> lease.completeAsync(new byte[Limits.RESULT_BYTES_MAX + 1]));
    told.of("result null", () -> lease.complete(null));
    told.of("fail", () -> lease.fail(null));
    told.of("fail how", () -> lease.fail("x", null));
    told.later("failAsync", () -> lease.failAsync(null, null));
    told.of("release", () -> lease.release(Duration.ofSeconds(-1)));
    told.of("release null", () -> lease.release(null));
    told.of("snooze", () -> lease.snooze(Duration.ofDays(100_000)));
    told.of("snooze until", () -> lease.snooze(Instant.MIN));
    told.of("snooze null", () -> lease.snooze((Instant) null));
    told.of("wait", () -> lease.waitFor(""));
    told.of("wait unpaired", () -> lease.waitFor("\ud800"));
    told.of("wait null", () -> lease.waitFor((String) null));
    told.of("wait batch null", () -> lease.waitFor((BatchId) null));
    told.of("wait most", () -> lease.waitFor("x", Duration.ofDays(-1)));
    told.of("wait until", () -> lease.waitFor("x", Instant.MAX));
    told.later("waitAsync", () -> lease.waitForAsync("x".repeat(2_000)));
    told.of("extend", () -> lease.extend(Duration.ofMillis(99)));
    told.later("extendAsync", () -> lease.extendAsync(null));
    told.of("checkpoint", () -> lease.checkpoint(new byte[Limits.CHECKPOINT_BYTES_MAX + 1]));
    told.of("checkpoint null", () -> lease.checkpoint(null));
    told.of("with null", () -> lease.with(null) == null);
    told.of("still held", lease::complete);
  }
}
