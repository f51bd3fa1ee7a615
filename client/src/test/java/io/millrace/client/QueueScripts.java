package io.millrace.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueLeaseResult;
import io.millrace.api.QueueName;
import io.millrace.api.UniqueKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Calls on queues: enqueues, settings, what operators do, dead letters, and leases on queues. */
final class QueueScripts {

  static final Map<String, SameAnswersTest.Script> ALL =
      Map.of(
          "enqueues", QueueScripts::enqueues,
          "wrong enqueues", QueueScripts::wrongEnqueues,
          "settings", QueueScripts::settings,
          "emptying", QueueScripts::emptying,
          "dead letters", QueueScripts::deadLetters,
          "queue leases", QueueScripts::queueLeases);

  private static final JobType<String> LETTER =
      JobType.of("letter", Codec.TEXT).queue("mail").defaults(it -> it.priority(3));
  private static final ClaimOptions ONE = ClaimOptions.by("w");

  private QueueScripts() {}

  private static void enqueues(JobQueues queues, Told told) {
    JobQueue mail = queues.queue("mail");
    byte[] payload = "hello".getBytes(UTF_8);
    EnqueueOptions unique = EnqueueOptions.DEFAULT.unique("k");
    EnqueueOptions replacing = EnqueueOptions.DEFAULT.unique(UniqueKey.of("k").replace());
    told.of("name", mail::name);
    told.of("text", mail::toString);
    told.of("enqueue", () -> mail.enqueue(payload));
    told.of("offer", () -> mail.offer(payload, unique));
    told.of("offer duplicate", () -> mail.offer(payload, unique));
    told.of("offer in place", () -> mail.offer(payload, replacing));
    told.later("offerAsync", () -> mail.offerAsync(payload, EnqueueOptions.DEFAULT.priority(9)));
    told.later("enqueueAsync", () -> mail.enqueueAsync(payload, EnqueueOptions.DEFAULT));
    List<NewJob> two = List.of(NewJob.of(payload), new NewJob(payload, unique));
    told.of("offerAll", () -> mail.offerAll(two));
    told.of("offerAll none", () -> mail.offerAll(List.of()));
    told.later("offerAllAsync", () -> mail.offerAllAsync(two));
    told.later("offerAllAsync none", () -> mail.offerAllAsync(List.of()));
    told.of("enqueueAll", () -> mail.enqueueAll(two));
    told.later("enqueueAllAsync", () -> mail.enqueueAllAsync(two));
    told.later("enqueueAllAsync none", () -> mail.enqueueAllAsync(List.of()));
    told.of("typed", () -> queues.enqueue(LETTER, "typed"));
    told.of("typed all", () -> queues.enqueueAll(LETTER, List.of("a", "b")));
    told.of("typed offer", () -> queues.offer(LETTER, "typed", it -> it.unique("k")));
    told.of("buffered", () -> mail.with(Durability.BUFFERED).enqueue(payload));
    told.of("synced", () -> queues.with(Durability.SYNCED).queue("mail").enqueue(payload));
    told.of("submit", () -> mail.submit(payload));
    told.later("submitAsync", () -> mail.submitAsync(payload, EnqueueOptions.DEFAULT));
    told.of("stats", mail::stats);
    told.of("peek", () -> mail.peek(JobState.READY, PageRequest.first(50)));
    mail.configure(it -> it.depthMax(1));
    told.of("full", () -> mail.offer(payload, EnqueueOptions.DEFAULT));
    told.of("full enqueue", () -> mail.enqueue(payload));
    told.later("full enqueueAsync", () -> mail.enqueueAsync(payload, EnqueueOptions.DEFAULT));
    told.of("full enqueueAll", () -> mail.enqueueAll(two));
    told.later("full enqueueAllAsync", () -> mail.enqueueAllAsync(two));
    told.of("full submit", () -> mail.submit(payload));
    told.later("full submitAsync", () -> mail.submitAsync(payload, EnqueueOptions.DEFAULT));
    EnqueueOptions lost = EnqueueOptions.DEFAULT.batch(new BatchId(77));
    told.of("lost batch", () -> queues.queue("x").offer(payload, lost));
  }

  private static void wrongEnqueues(JobQueues queues, Told told) {
    JobQueue mail = queues.queue("mail");
    byte[] tooLong = new byte[Limits.PAYLOAD_BYTES_MAX + 1];
    NewJob most = NewJob.of(new byte[Limits.PAYLOAD_BYTES_MAX]);
    EnqueueOptions ofBatch = EnqueueOptions.DEFAULT.batch(new BatchId(1));
    told.of("offer", () -> mail.offer(tooLong, EnqueueOptions.DEFAULT));
    told.of("offer null", () -> mail.offer(null, EnqueueOptions.DEFAULT));
    told.later("offerAsync", () -> mail.offerAsync(tooLong, EnqueueOptions.DEFAULT));
    told.later("offerAsync null", () -> mail.offerAsync(new byte[0], null));
    told.of("offerAll", () -> mail.offerAll(null));
    told.of(
        "offerAll count", () -> mail.offerAll(Collections.nCopies(10_001, NewJob.of(new byte[0]))));
    told.of(
        "offerAll bytes",
        () ->
            mail.offerAll(
                Collections.nCopies(Limits.CALL_BYTES_MAX / most.contentBytes() + 1, most)));
    told.later(
        "offerAllAsync batches",
        () ->
            mail.offerAllAsync(List.of(NewJob.of(new byte[0]), new NewJob(new byte[0], ofBatch))));
    told.of("submit", () -> mail.submit(tooLong));
    told.of("with", () -> mail.with(null) == null);
    told.of("purge", () -> mail.purge(EnumSet.of(JobState.LEASED, JobState.READY)));
    told.of("purge null", () -> mail.purge(null));
    told.of("drain", () -> mail.drain(Duration.ofMillis(-1)));
    told.of("drain null", () -> mail.drain(null));
    told.of("peek null", () -> mail.peek(null, PageRequest.first(1)));
    told.done("configure null", () -> mail.configure(null));
    told.done(
        "configure lost",
        () ->
            mail.configure(
                it -> {
                  var unused = it.share(7);
                  return it;
                }));
    told.done("configure range", () -> mail.configure(it -> it.share(0)));
    told.done("name", () -> queues.admin().configure("", it -> it));
    told.done("name null", () -> queues.admin().configure("mail", null));
    told.of("stats", mail::stats);
  }

  private static void settings(JobQueues queues, Told told) {
    JobQueue mail = queues.queue("mail", "acme");
    queues.admin().configure("mail", it -> it.share(3).resultRetention(Duration.ofDays(1)));
    mail.configure(it -> it.depthMax(10));
    told.of("settings", () -> mail.settings().texts());
    told.of("here", () -> mail.settings().setHere());
    told.of("equal", () -> queues.settings(mail.name()).equals(mail.settings()));
    told.of("name", () -> queues.settings("mail").texts());
    told.of("name here", () -> queues.settings("mail").setHere());
    told.of("other", () -> queues.settings(new QueueName("mail", "other")).texts());
    List<Integer> seen = new ArrayList<>();
    mail.configure(
        it -> {
          seen.add(it.share());
          if (seen.size() == 1) {
            queues.queue(mail.name()).configure(other -> other.share(5));
          }
          return it.share(it.share() + 1);
        });
    told.of("began anew", () -> seen);
    told.of("changed", () -> mail.settings().texts());
    mail.configure(it -> it.noDepthMax());
    told.of("without", () -> mail.settings().texts());
  }

  private static void emptying(JobQueues queues, Told told) {
    JobQueue mail = queues.queue("mail");
    mail.enqueueAll(Collections.nCopies(30, NewJob.of(new byte[10])));
    told.done("pause", mail::pause);
    told.of("paused", mail::stats);
    told.of("claim paused", () -> mail.claim(ONE));
    told.done("resume", mail::resume);
    told.of("purge", () -> mail.purge(EnumSet.of(JobState.READY, JobState.DELAYED)));
    told.of("purge nothing", () -> mail.purge(EnumSet.noneOf(JobState.class)));
    mail.enqueue(new byte[1]);
    told.of("drain", () -> mail.drain(Duration.ZERO));
    told.of("drain wait", () -> mail.drain(Duration.ofMillis(30)));
    told.of("draining", () -> mail.offer(new byte[1], EnqueueOptions.DEFAULT));
    told.of("drained", () -> mail.claim(ONE).get(0).complete());
    told.of("empty", () -> mail.drain(Duration.ofSeconds(5)));
    told.done("end", mail::endDrain);
    told.of("again", () -> mail.enqueue(new byte[1]));
    told.of("delete", mail::delete);
    told.of("delete none", mail::delete);
    told.of("gone", mail::stats);
  }

  private static void deadLetters(JobQueues queues, Told told) {
    JobQueue mail = queues.queue("mail");
    DeadLetters dead = mail.deadLetters();
    List<JobId> ids = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String key = "k" + i;
      mail.enqueue(new byte[] {(byte) i}, EnqueueOptions.DEFAULT.unique(key));
      var lease = mail.claim(ONE).get(0);
      lease.checkpoint("state".getBytes(UTF_8)).orThrow();
      lease.fail("error " + i, FailOptions.PERMANENT).orThrow();
      ids.add(lease.jobId());
    }
    JobId none = new JobId(1, 2);
    mail.enqueue(new byte[0], EnqueueOptions.DEFAULT.unique("k5"));
    told.of("list", () -> dead.list(DeadFilter.ALL.errorContains("3"), PageRequest.first(9)));
    told.of("get", () -> dead.get(ids.get(0)));
    told.of("get of another", () -> queues.queue("x").deadLetters().get(ids.get(0)));
    told.of("redrive", () -> dead.redrive(ids.get(0)));
    told.of("redrive again", () -> dead.redrive(ids.get(0)));
    told.of("redrive clear", () -> dead.redrive(ids.get(1), Checkpointed.CLEAR));
    told.of("cleared", () -> queues.get(ids.get(1)).orElseThrow().checkpointed());
    told.of("redrive duplicate", () -> dead.redrive(ids.get(5)));
    told.of("redrive none", () -> dead.redrive(none));
    told.of("redrive of another", () -> queues.queue("x").deadLetters().redrive(ids.get(2)));
    told.of("delete", () -> dead.delete(ids.get(2)));
    told.of("delete again", () -> dead.delete(ids.get(2)));
    told.of("redriveAll", () -> dead.redriveAll(DeadFilter.ALL.errorContains("3")));
    told.of("deleteAll", () -> dead.deleteAll(DeadFilter.ALL));
    told.of("list none", () -> dead.list(DeadFilter.ALL, PageRequest.first(9)));
    told.of("list null", () -> dead.list(null, PageRequest.first(9)));
    told.of("get null", () -> dead.get(null));
    told.of("redrive null", () -> dead.redrive(null));
    told.of("redrive how", () -> dead.redrive(none, null));
    told.of("redriveAll null", () -> dead.redriveAll(null));
    told.of("delete null", () -> dead.delete(null));
    told.of("deleteAll null", () -> dead.deleteAll(null));
  }

  private static void queueLeases(JobQueues queues, Told told) {
    QueueName mail = QueueName.of("mail");
    queues.queue(mail).enqueueAll(Collections.nCopies(5, NewJob.of(new byte[1])));
    QueueLeaseResult first = told.of("lease", () -> queues.leaseQueue(mail, "w"));
    QueueLease lease = first.orThrow();
    told.of("text", lease::toString);
    told.of("leased", () -> queues.leaseQueue(mail, "other", Duration.ofSeconds(9)));
    told.of("leased throws", () -> queues.leaseQueue(mail, "x").lease().isPresent());
    told.of("all", () -> queues.admin().queueLeases());
    told.of("stats", () -> queues.queue(mail).stats());
    told.of("kept from", () -> queues.queue(mail).claim(ONE));
    told.of("claim", () -> lease.claim(2, Duration.ZERO));
    told.later("claimAsync", () -> lease.claimAsync(ONE.max(10)));
    told.of("claim none", () -> lease.claim(2, Duration.ZERO));
    told.of("claim null", () -> lease.claim(null));
    told.later("claimAsync null", () -> lease.claimAsync(null));
    told.of("extend", () -> lease.extend(Duration.ofSeconds(30)));
    told.of("extend short", () -> lease.extend(Duration.ofMillis(1)));
    told.of("extend null", () -> lease.extend(null));
    told.of("end", () -> queues.admin().endQueueLease(mail));
    told.of("end again", () -> queues.admin().endQueueLease(mail));
    told.of("end null", () -> queues.admin().endQueueLease(null));
    told.of("claim stale", () -> lease.claim(ONE));
    told.of("extend stale", () -> lease.extend(Duration.ofSeconds(30)));
    told.of("left", lease::remaining);
    told.of("is over", () -> lease.remaining().isZero());
    told.done("close", lease::close);
    QueueLease second = queues.leaseQueue(mail, "w").orThrow();
    told.done("close second", second::close);
    told.done("close again", second::close);
    told.of("is closed", () -> second.remaining().isZero());
    told.of("claim closed", () -> second.claim(ONE));
    told.of("claim closed throws", () -> second.claim(ONE).orThrow());
    told.of("queue null", () -> queues.leaseQueue(null, "w"));
    told.of("worker", () -> queues.leaseQueue(mail, ""));
    told.of("duration", () -> queues.leaseQueue(mail, "w", Duration.ofDays(8)));
    told.of("free", () -> Optional.of(queues.admin().queueLeases()));
  }
}
