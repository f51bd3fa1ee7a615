package io.millrace.model.linear;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.UpdateOptions;
import io.millrace.engine.JobEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A thread of a history: chooses calls by chance and makes them. */
final class Caller {

  private static final Duration WAIT = Duration.ofDays(1);
  private static final long TICK_MS = 40_000;
  private static final long DELAY_MS = 5_000;

  private final Session session;
  private final int thread;
  private final Random random;

  Caller(Session session, int thread) {
    this.session = session;
    this.thread = thread;
    this.random = new Random(session.plan.seed() * 31 + thread);
  }

  void run() {
    for (int i = 0; i < session.plan.callCount(); i++) {
      int choice = random.nextInt(100);
      boolean isInterrupted =
          choice < 72 && session.plan.has(Plan.Feature.INTERRUPTS) && random.nextInt(8) == 0;
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
      step(choice);
      Thread.interrupted();
    }
  }

  private void step(int choice) {
    if (choice < 28) {
      enqueue();
    } else if (choice < 58 && !session.leases.isEmpty()) {
      hold();
    } else if (choice < 72 && !session.jobs.isEmpty()) {
      operate();
    } else if (choice < 74) {
      serve();
    } else if (choice < 86) {
      look();
    } else if (choice < 89 && thread == 0 && session.plan.has(Plan.Feature.CLOCK_STEPS)) {
      session.recordTick(thread, TICK_MS);
    } else {
      claim();
    }
  }

  private int queue() {
    return random.nextInt(3) == 0 ? 1 : 0;
  }

  private void enqueue() {
    List<Call.NewJob> called = new ArrayList<>();
    List<NewJob> jobs = new ArrayList<>();
    for (int i = random.nextInt(5) == 0 ? 3 : 1; i > 0; i--) {
      int number = session.newestJob.incrementAndGet();
      long delayMs = random.nextInt(10) == 0 ? DELAY_MS : 0;
      int priority = random.nextInt(4) == 0 ? 1 : 0;
      String uniqueKey = random.nextInt(3) == 0 ? "key " + random.nextInt(2) : "";
      called.add(new Call.NewJob(number, priority, delayMs, uniqueKey));
      EnqueueOptions options =
          EnqueueOptions.DEFAULT
              .priority(priority)
              .maxAttempts(SpecJob.ATTEMPTS_MAX)
              .delay(Duration.ofMillis(delayMs));
      jobs.add(
          new NewJob(
              Texts.payload(number, 0), uniqueKey.isEmpty() ? options : options.unique(uniqueKey)));
    }
    Call.Enqueue call = new Call.Enqueue(queue(), called);
    session.record(thread, call, () -> enqueued(call, jobs));
  }

  private Object enqueued(Call.Enqueue call, List<NewJob> jobs) {
    JobQueue queue = session.queues.get(call.queue());
    NewJob first = jobs.get(0);
    List<EnqueueResult> results =
        jobs.size() > 1
            ? queue.offerAll(jobs)
            : List.of(
                random.nextBoolean() || Thread.currentThread().isInterrupted()
                    ? queue.offer(first.payload(), first.options())
                    : queue.offerAsync(first.payload(), first.options()).join());
    for (int i = 0; i < results.size(); i++) {
      int number = call.jobs().get(i).number();
      if (results.get(i) instanceof Enqueued enqueued && !enqueued.isDuplicate()) {
        session.jobs.put(number, new Session.Known(number, call.queue(), enqueued.jobId()));
      }
    }
    return results.stream().map(Texts::of).toList();
  }

  private void claim() {
    boolean isAcross = session.plan.has(Plan.Feature.CLAIMS_ACROSS) && random.nextInt(3) == 0;
    boolean isWaiting = session.plan.has(Plan.Feature.WAITING_CLAIMS) && random.nextInt(3) == 0;
    List<Integer> from = isAcross ? List.of(0, 1) : List.of(queue());
    int max = random.nextInt(3) == 0 ? 2 : 1;
    ClaimOptions options =
        ClaimOptions.by("T" + thread).max(max).leaseDuration(Duration.ofMillis(QueueSpec.LEASE_MS));
    if (isWaiting) {
      Call.Claim call = new Call.Claim(from, max, Call.Patience.WAITS);
      session.recordWaiting(thread, call, options.waiting(WAIT));
    } else {
      Call.Claim call = new Call.Claim(from, max, Call.Patience.NONE);
      session.record(thread, call, () -> session.grants(claimed(from, options)));
    }
  }

  private List<Lease> claimed(List<Integer> from, ClaimOptions options) {
    JobEngine engine = session.harness.engine();
    return from.size() == 1
        ? session.queues.get(from.get(0)).claim(options)
        : engine.claim(from.stream().map(i -> session.queues.get(i).name()).toList(), options);
  }

  /** Mostly with a young lease, of whichever thread. */
  private void hold() {
    List<Session.Held> held = List.copyOf(session.leases);
    Session.Held one = held.get(Math.max(0, held.size() - 1 - random.nextInt(4)));
    Call.HolderAct act =
        random.nextInt(3) == 0
            ? Call.HolderAct.COMPLETE
            : Call.HolderAct.values()[random.nextInt(Call.HolderAct.values().length)];
    int version = act == Call.HolderAct.CHECKPOINT ? session.newestVersion.incrementAndGet() : 0;
    Call.Hold call = new Call.Hold(act, one.queue(), one.job(), one.lease().token(), version);
    session.record(thread, call, () -> held(call, one.lease()));
  }

  private static Object held(Call.Hold call, Lease lease) {
    return switch (call.act()) {
      case COMPLETE -> Texts.of(lease.complete());
      case FAIL -> Texts.of(lease.fail("failed", FailOptions.RETRY.delay(Duration.ZERO)));
      case FAIL_PERMANENTLY -> Texts.of(lease.fail("failed", FailOptions.PERMANENT));
      case RELEASE -> Texts.of(lease.release());
      case SNOOZE -> Texts.of(lease.snooze(Duration.ofMillis(HolderSpec.SNOOZE_MS)));
      case EXTEND -> Texts.of(lease.extend(Duration.ofMillis(HolderSpec.EXTEND_MS)));
      case CHECKPOINT -> Texts.of(lease.checkpoint(Texts.payload(call.job(), call.version())));
    };
  }

  private Session.Known job() {
    List<Session.Known> known = List.copyOf(session.jobs.values());
    return known.get(random.nextInt(known.size()));
  }

  private void operate() {
    Session.Known job = job();
    Call.OperatorAct act =
        Call.OperatorAct.values()[random.nextInt(Call.OperatorAct.values().length)];
    long value =
        switch (act) {
          case NEW_PRIORITY -> random.nextInt(3);
          case NEW_PAYLOAD -> session.newestVersion.incrementAndGet();
          case RESCHEDULE -> session.nowMs() + (random.nextBoolean() ? -1 : DELAY_MS);
          default -> 0;
        };
    Call.Operate call = new Call.Operate(act, job.queue(), job.number(), value);
    session.record(thread, call, () -> operated(call, job));
  }

  private Object operated(Call.Operate call, Session.Known job) {
    JobEngine engine = session.harness.engine();
    return switch (call.act()) {
      case CANCEL -> Texts.of(engine.cancelIfWaiting(job.id()));
      case REQUEST_CANCEL -> Texts.of(engine.cancel(job.id()));
      case RESCHEDULE ->
          Texts.of(
              engine.reschedule(job.id(), Instant.ofEpochMilli(session.originMs() + call.value())));
      case RELEASE -> Texts.of(engine.admin().release(job.id()));
      case REDRIVE -> Texts.of(session.queues.get(job.queue()).deadLetters().redrive(job.id()));
      case DELETE_DEAD ->
          session.queues.get(job.queue()).deadLetters().delete(job.id())
              ? "deleted"
              : OperatorSpec.NOT_DEAD;
      case NEW_PRIORITY ->
          Texts.of(engine.update(job.id(), UpdateOptions.NOTHING.priority((int) call.value())));
      case NEW_PAYLOAD ->
          Texts.of(
              engine.update(
                  job.id(),
                  UpdateOptions.NOTHING.payload(Texts.payload(job.number(), (int) call.value()))));
    };
  }

  private void serve() {
    int queue = queue();
    Call.Serving serving = random.nextInt(3) == 0 ? Call.Serving.PAUSED : Call.Serving.RESUMED;
    session.record(
        thread,
        new Call.Serve(queue, serving),
        () -> {
          if (serving == Call.Serving.PAUSED) {
            session.queues.get(queue).pause();
          } else {
            session.queues.get(queue).resume();
          }
          return Seen.DONE;
        });
  }

  private void look() {
    int queue = queue();
    JobQueue looked = session.queues.get(queue);
    int choice = random.nextInt(3);
    if (choice == 0 && !session.jobs.isEmpty()) {
      Session.Known job = job();
      session.record(
          thread,
          new Call.Get(job.queue(), job.number()),
          () -> {
            Optional<Job> found = session.harness.engine().get(job.id());
            return found.<Object>map(Texts::seen).orElse(Seen.NONE);
          });
    } else if (choice == 1) {
      session.record(thread, new Call.Peek(queue), () -> peeked(looked));
    } else {
      session.record(
          thread,
          new Call.Stats(queue),
          () -> looked.stats().<Object>map(Texts::seen).orElse(Seen.NONE));
    }
  }

  private static Object peeked(JobQueue queue) {
    Page<Job> page = queue.peek(JobState.READY, PageRequest.first(100));
    return page.next().isPresent()
        ? Seen.CUT_SHORT
        : page.items().stream().map(job -> Texts.job(job.payload())).toList();
  }
}
