package io.millrace.model.fault;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.UpdateOptions;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Dropped;
import io.millrace.spi.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Every call there is that can block, one at a time, by a thread that somebody interrupts
 * meanwhile. For that thread.
 */
final class InterruptedCalls {

  private static final Duration LEASE = Duration.ofMinutes(30);
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final EnqueueOptions JOB =
      EnqueueOptions.DEFAULT.maxAttempts(1_000).backoff(Backoff.fixed(Duration.ofMillis(5)));
  private static final QueueName LEASED = QueueName.of("leased");
  private static final EnqueueOptions ONCE = EnqueueOptions.DEFAULT.maxAttempts(1);

  private final JobEngine engine;
  private final Ledger ledger;
  private final Path backups;
  private final JobQueue queue;
  private final JobQueue side;
  private final List<Lease> held = new ArrayList<>();
  private final List<Unsettled> unsettled = new ArrayList<>();
  private final Map<String, Integer> disturbed = new TreeMap<>();
  private int number;

  /** A lease of which it is not known whether and how it ended. */
  private record Unsettled(Lease lease, CallOutcome.Kind told, CompleteResult ifItHappened) {}

  InterruptedCalls(JobEngine engine, Ledger ledger, Path backups) {
    this.engine = engine;
    this.ledger = ledger;
    this.backups = backups;
    this.queue = engine.queue(Load.QUEUE);
    this.side = engine.queue("side");
  }

  /** How often calls ended otherwise than with an answer. */
  Map<String, Integer> disturbed() {
    return disturbed;
  }

  /** Makes the next call; what it is called. */
  String call(Random random) {
    return switch (random.nextInt(12)) {
      case 0, 1 -> enqueue(random);
      case 2, 3 -> claim(random);
      case 4 -> waitInVain();
      case 5, 6, 7 -> end(random);
      case 8 -> change(random);
      case 9 -> administer(random);
      case 10 -> read(random);
      default -> random.nextInt(5) == 0 ? backup() : enqueue(random);
    };
  }

  /** What is left of the last calls is settled, by the same thread, undisturbed. */
  void settle(int heldMax) {
    unsettled.forEach(this::settle);
    unsettled.clear();
    while (held.size() > heldMax) {
      Lease lease = held.remove(0);
      ledger.ending(lease);
      settle(new Unsettled(lease, CallOutcome.Kind.NOTHING_HAPPENED, CompleteResult.COMPLETED));
    }
  }

  /** Completes a job; if its lease had ended before, it says so. */
  private void settle(Unsettled one) {
    CompleteResult told = one.lease().complete();
    boolean hadHappened = one.told() == CallOutcome.Kind.UNKNOWN && told == one.ifItHappened();
    if (told == CompleteResult.COMPLETED || (hadHappened && told == CompleteResult.GONE)) {
      ledger.completed(one.lease());
    } else if (!hadHappened) {
      ledger.wrong("complete answered " + told + " after " + one);
    }
    if (hadHappened) {
      ledger.count(Ledger.Note.RECOVERED);
    }
  }

  private <T> CallOutcome<T> told(String call, Supplier<T> supplier) {
    CallOutcome<T> told = CallOutcome.by(supplier);
    if (told.kind() != CallOutcome.Kind.ANSWER) {
      disturbed.merge(call, 1, Integer::sum);
    }
    return told;
  }

  private String made(String call, Runnable runnable) {
    told(
        call,
        () -> {
          runnable.run();
          return true;
        });
    return call;
  }

  /** What only prepares a call is done again until it was not disturbed. */
  private static void undisturbed(Runnable runnable) {
    boolean wasInterrupted = false;
    boolean isDone = false;
    while (!isDone) {
      wasInterrupted |= Thread.interrupted();
      try {
        runnable.run();
        isDone = true;
      } catch (OutcomeUnknownException e) {
        wasInterrupted = true;
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private String enqueue(Random random) {
    List<String> names = new ArrayList<>();
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      names.add("i:" + number++);
      byte[] payload = Ledger.payload(names.get(i), random.nextInt(10) == 0 ? 3_000 : 60);
      jobs.add(new NewJob(payload, JOB));
    }
    names.forEach(ledger::asked);
    Durability level = random.nextInt(4) == 0 ? Durability.BUFFERED : Durability.SYNCED;
    CallOutcome<?> told = told("enqueue", () -> queue.with(level).enqueueAll(jobs));
    for (String name : names) {
      switch (told.kind()) {
        case ANSWER -> ledger.enqueued(name);
        case NOTHING_HAPPENED -> ledger.refused(name);
        case UNKNOWN -> ledger.unknown(name);
      }
    }
    return "enqueue";
  }

  private String claim(Random random) {
    ClaimOptions claim =
        ClaimOptions.by("caller")
            .max(1 + random.nextInt(3))
            .leaseDuration(LEASE)
            .waiting(Duration.ofMillis(random.nextInt(3)));
    CallOutcome<List<Lease>> told = told("claim", () -> queue.claim(claim));
    if (told.kind() == CallOutcome.Kind.ANSWER) {
      told.answer().forEach(ledger::leased);
      held.addAll(told.answer());
    }
    return "claim";
  }

  /** Only the interrupt ends it in time. */
  private String waitInVain() {
    long beganNs = System.nanoTime();
    CallOutcome<List<Lease>> told =
        told(
            "claim of nothing",
            () -> engine.queue("empty").claim(ClaimOptions.by("caller").waiting(LONG)));
    if (told.kind() == CallOutcome.Kind.ANSWER && !told.answer().isEmpty()) {
      ledger.wrong("a claim of an empty queue answered " + told.answer());
    }
    if (System.nanoTime() - beganNs >= LONG.toNanos()) {
      ledger.wrong("an interrupted claim waited to its end");
    }
    return "claim of nothing";
  }

  private String end(Random random) {
    if (held.isEmpty()) {
      return claim(random);
    }
    Lease lease = held.remove(random.nextInt(held.size()));
    return switch (random.nextInt(7)) {
      case 0 -> keep(lease, "extend", () -> lease.extend(LEASE));
      case 1 -> keep(lease, "checkpoint", () -> lease.checkpoint(lease.payload()));
      case 2 -> handBack(lease, "release", lease::release);
      case 3 -> handBack(lease, "snooze", () -> lease.snooze(Duration.ofMillis(1)));
      case 4 -> handBack(lease, "fail", () -> lease.fail("chance"));
      case 5 -> close(lease);
      default -> complete(lease);
    };
  }

  private String keep(Lease lease, String call, Supplier<?> supplier) {
    told(call, supplier);
    held.add(lease);
    return call;
  }

  private String handBack(Lease lease, String call, Supplier<?> supplier) {
    ledger.ending(lease);
    CallOutcome<?> told = told(call, supplier);
    if (told.kind() == CallOutcome.Kind.ANSWER) {
      ledger.count(Ledger.Note.HANDED_BACK);
    } else {
      unsettled.add(new Unsettled(lease, told.kind(), CompleteResult.STALE_LEASE));
    }
    return call;
  }

  /** Closing releases, whatever becomes of the thread that does it. */
  private String close(Lease lease) {
    ledger.ending(lease);
    lease.close();
    return "close of a lease";
  }

  private String complete(Lease lease) {
    ledger.ending(lease);
    CallOutcome<?> told = told("complete", lease::complete);
    if (told.kind() == CallOutcome.Kind.ANSWER) {
      ledger.completed(lease);
    } else {
      unsettled.add(new Unsettled(lease, told.kind(), CompleteResult.GONE));
    }
    return "complete";
  }

  private String change(Random random) {
    JobId id = side.enqueueAsync(new byte[1], ONCE).join().jobId();
    return switch (random.nextInt(4)) {
      case 0 -> made("cancel", () -> Dropped.result(engine.cancelIfWaiting(id)));
      case 1 -> made("requestCancel", () -> Dropped.result(engine.cancel(id)));
      case 2 ->
          made("reschedule", () -> Dropped.result(engine.reschedule(id, Instant.now().plus(LONG))));
      default ->
          made(
              "update", () -> Dropped.result(engine.update(id, UpdateOptions.NOTHING.priority(3))));
    };
  }

  private String administer(Random random) {
    side.enqueueAsync(new byte[1], ONCE).join();
    return switch (random.nextInt(10)) {
      case 0 -> made("configure", () -> side.configure(held -> QueueSettings.DEFAULT));
      case 1 -> made("pause", side::pause);
      case 2 -> made("resume", side::resume);
      case 3 -> made("purge", () -> side.purge(Set.of(JobState.READY, JobState.DELAYED)));
      case 4 -> drain();
      case 5 -> made("delete", side::delete);
      case 6 -> die("redriveAll", () -> side.deadLetters().redriveAll(DeadFilter.ALL));
      case 7 -> die("deleteAll", () -> side.deadLetters().deleteAll(DeadFilter.ALL));
      case 8 -> made("leaseQueue", () -> Dropped.result(engine.leaseQueue(LEASED, "caller")));
      default -> made("reopen", engine::reopen);
    };
  }

  /** Only the interrupt ends it in time. */
  private String drain() {
    long beganNs = System.nanoTime();
    made("drain", () -> Dropped.result(side.drain(LONG)));
    if (System.nanoTime() - beganNs >= LONG.toNanos()) {
      ledger.wrong("an interrupted drain waited to its end");
    }
    undisturbed(side::endDrain);
    return "drain";
  }

  private String die(String call, Runnable runnable) {
    undisturbed(
        () -> {
          side.resume();
          ClaimOptions claim = ClaimOptions.by("caller").max(10).leaseDuration(LEASE);
          side.claimAsync(claim)
              .join()
              .forEach(lease -> Dropped.result(lease.failAsync("dead", FailOptions.RETRY)));
        });
    return made(call, runnable);
  }

  private String read(Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> made("stats", queue::stats);
      case 1 -> made("peek", () -> queue.peek(JobState.READY, PageRequest.first(100)));
      case 2 -> made("list", () -> engine.list(JobFilter.ALL, PageRequest.first(100)));
      case 3 -> made("queues", () -> engine.queues(PageRequest.first(100)));
      case 4 -> made("metrics", engine::metrics);
      case 5 -> made("nextVisible", () -> engine.nextVisible(Load.QUEUE));
      default -> verify();
    };
  }

  private String verify() {
    told("verify", engine::verify)
        .answer()
        .problems()
        .forEach(problem -> ledger.wrong("verify: " + problem));
    return "verify";
  }

  /** A backup is whole, or there is none. */
  private String backup() {
    Path folder = backups.resolve("backup-" + number++);
    try {
      engine.backup(folder);
      if (isEmpty(folder)) {
        ledger.wrong("a backup that was made is not there: " + folder);
      }
    } catch (StoreException e) {
      disturbed.merge("backup", 1, Integer::sum);
      if (!isEmpty(folder)) {
        ledger.wrong("a backup that was not made is there: " + folder + ", " + e);
      }
    }
    return "backup";
  }

  private static boolean isEmpty(Path folder) {
    String[] names = folder.toFile().list();
    return names == null || names.length == 0;
  }
}
