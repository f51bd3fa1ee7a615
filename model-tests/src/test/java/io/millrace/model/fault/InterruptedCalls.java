package io.millrace.model.fault;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.CompleteResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Explanation;
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
import io.millrace.api.Table;
import io.millrace.api.Transaction;
import io.millrace.api.UpdateOptions;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Dropped;
import io.millrace.spi.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Every call there is that can block, one at a time, by a thread that somebody interrupts
 * meanwhile. For that thread.
 */
final class InterruptedCalls {

  /** The queues, of two tenants, whose jobs the ledger knows. */
  static final List<QueueName> QUEUES =
      List.of(Load.QUEUE, new QueueName(Load.QUEUE.name(), "tenant"));

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
  private final Disturbances calls = new Disturbances();
  private final Table<String, String> effects;
  private final InterruptedRows rows;
  private final InterruptedWaits waits;
  private int number;

  /** A lease of which it is not known whether and how it ended. */
  private record Unsettled(Lease lease, CallOutcome.Kind told, CompleteResult ifItHappened) {}

  InterruptedCalls(JobEngine engine, Ledger ledger, Path backups) {
    this.engine = engine;
    this.ledger = ledger;
    this.backups = backups;
    this.queue = engine.queue(Load.QUEUE);
    this.side = engine.queue("side");
    this.effects = engine.table("effects", Codec.TEXT, Codec.TEXT);
    this.rows = new InterruptedRows(engine, ledger, calls);
    this.waits = new InterruptedWaits(engine, ledger, calls);
  }

  /** How often calls ended otherwise than with an answer. */
  Disturbances disturbed() {
    return calls;
  }

  /** Makes the next call; what it is called. */
  String call(Random random) {
    return switch (random.nextInt(18)) {
      case 0, 1 -> enqueue(random);
      case 2, 3 -> claim(random);
      case 4 -> waitInVain(random);
      case 5, 6, 7 -> end(random);
      case 8 -> change(random);
      case 9 -> administer(random);
      case 10 -> read(random);
      case 11 -> waits.submit(newName(), JOB);
      case 12 -> held.isEmpty() ? claim(random) : waits.await(held.get(0));
      case 13 -> waits.signal();
      case 14 -> waits.broadcast();
      case 15 -> transact();
      case 16 -> rows.call(random);
      default -> random.nextInt(5) == 0 ? backup() : enqueue(random);
    };
  }

  private String newName() {
    return "i:" + number++;
  }

  /** Settles everything, so that all jobs can be had. */
  void finish() {
    settle(0);
    QUEUES.forEach(waits::wakeAll);
  }

  /** Once all jobs are completed, whoever waits for the end of one is told so. */
  void checkEnds() throws InterruptedException {
    waits.checkEnds();
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
      names.add(newName());
      byte[] payload = Ledger.payload(names.get(i), random.nextInt(10) == 0 ? 3_000 : 60);
      jobs.add(new NewJob(payload, JOB));
    }
    names.forEach(ledger::asked);
    Durability level = random.nextInt(4) == 0 ? Durability.BUFFERED : Durability.SYNCED;
    JobQueue to = engine.queue(QUEUES.get(random.nextInt(QUEUES.size()))).with(level);
    CallOutcome<?> told = calls.told("enqueue", () -> to.enqueueAll(jobs));
    names.forEach(name -> ledger.told(name, told.kind()));
    return "enqueue";
  }

  private String claim(Random random) {
    ClaimOptions claim =
        ClaimOptions.by("caller")
            .max(1 + random.nextInt(3))
            .leaseDuration(LEASE)
            .waiting(Duration.ofMillis(random.nextInt(3)));
    boolean isAcrossTenants = random.nextBoolean();
    String call = isAcrossTenants ? "claimAcrossTenants" : "claim";
    CallOutcome<List<Lease>> told = calls.told(call, () -> claim(isAcrossTenants, queue, claim));
    if (told.kind() == CallOutcome.Kind.ANSWER) {
      told.answer().forEach(ledger::leased);
      held.addAll(told.answer());
    }
    return call;
  }

  private List<Lease> claim(boolean isAcrossTenants, JobQueue from, ClaimOptions claim) {
    return isAcrossTenants
        ? engine.claimAcrossTenants(from.name().name(), claim)
        : from.claim(claim);
  }

  /** Only the interrupt ends it in time. */
  private String waitInVain(Random random) {
    JobQueue empty = engine.queue("empty");
    ClaimOptions claim = ClaimOptions.by("caller").waiting(LONG);
    boolean isAcrossTenants = random.nextBoolean();
    long beganNs = System.nanoTime();
    CallOutcome<List<Lease>> told =
        calls.told("claim of nothing", () -> claim(isAcrossTenants, empty, claim));
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
    return switch (random.nextInt(8)) {
      case 0 -> keep(lease, "extend", () -> lease.extend(LEASE));
      case 1 -> keep(lease, "checkpoint", () -> lease.checkpoint(lease.payload()));
      case 2 -> handBack(lease, "release", lease::release);
      case 3 -> handBack(lease, "snooze", () -> lease.snooze(Duration.ofMillis(1)));
      case 4 -> handBack(lease, "fail", () -> lease.fail("chance"));
      case 5 -> close(lease);
      case 6 -> handBack(lease, "waitFor", () -> lease.waitFor(InterruptedWaits.SIGNAL));
      default -> complete(lease);
    };
  }

  private String keep(Lease lease, String call, Supplier<?> supplier) {
    calls.told(call, supplier);
    held.add(lease);
    return call;
  }

  private String handBack(Lease lease, String call, Supplier<?> supplier) {
    ledger.ending(lease);
    CallOutcome<?> told = calls.told(call, supplier);
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
    CallOutcome<?> told = calls.told("complete", lease::complete);
    if (told.kind() == CallOutcome.Kind.ANSWER) {
      ledger.completed(lease);
    } else {
      unsettled.add(new Unsettled(lease, told.kind(), CompleteResult.GONE));
    }
    return "complete";
  }

  /** All of it happens or nothing: a job is enqueued, another completed, and a row says so. */
  private String transact() {
    String name = newName();
    byte[] payload = Ledger.payload(name, 60);
    Optional<Lease> lease = held.stream().findFirst();
    ledger.asked(name);
    lease.ifPresent(held::remove);
    lease.ifPresent(ledger::ending);
    Function<Transaction, JobId> work =
        tx -> {
          tx.put(effects, name, "happened");
          lease.ifPresent(tx::complete);
          return tx.enqueue(Load.QUEUE, payload, JOB);
        };
    CallOutcome.Kind kind = calls.told("transact", () -> engine.transact(work).orThrow()).kind();
    boolean hasHappened = effects.deleteAsync(name).join(); // by then the transaction is over
    if (kind == (hasHappened ? CallOutcome.Kind.NOTHING_HAPPENED : CallOutcome.Kind.ANSWER)) {
      ledger.wrong("a transaction that told " + kind + " has happened: " + hasHappened);
    }
    if (hasHappened) {
      ledger.enqueued(name);
      lease.ifPresent(ledger::completed);
    } else {
      ledger.refused(name);
      lease.ifPresent(ledger::goesOn);
      lease.ifPresent(held::add);
    }
    return "transact";
  }

  private String change(Random random) {
    JobId id = side.enqueueAsync(new byte[1], ONCE).join().jobId();
    return switch (random.nextInt(4)) {
      case 0 -> calls.made("cancel", () -> Dropped.result(engine.cancelIfWaiting(id)));
      case 1 -> calls.made("requestCancel", () -> Dropped.result(engine.cancel(id)));
      case 2 ->
          calls.made(
              "reschedule", () -> Dropped.result(engine.reschedule(id, Instant.now().plus(LONG))));
      default ->
          calls.made(
              "update", () -> Dropped.result(engine.update(id, UpdateOptions.NOTHING.priority(3))));
    };
  }

  private String administer(Random random) {
    side.enqueueAsync(new byte[1], ONCE).join();
    return switch (random.nextInt(10)) {
      case 0 -> calls.made("configure", () -> side.configure(held -> QueueSettings.DEFAULT));
      case 1 -> calls.made("pause", side::pause);
      case 2 -> calls.made("resume", side::resume);
      case 3 -> calls.made("purge", () -> side.purge(Set.of(JobState.READY, JobState.DELAYED)));
      case 4 -> drain();
      case 5 -> calls.made("delete", side::delete);
      case 6 -> die("redriveAll", () -> side.deadLetters().redriveAll(DeadFilter.ALL));
      case 7 -> die("deleteAll", () -> side.deadLetters().deleteAll(DeadFilter.ALL));
      case 8 -> calls.made("leaseQueue", () -> Dropped.result(engine.leaseQueue(LEASED, "caller")));
      default -> calls.made("reopen", engine::reopen);
    };
  }

  /** Only the interrupt ends it in time. */
  private String drain() {
    long beganNs = System.nanoTime();
    calls.made("drain", () -> Dropped.result(side.drain(LONG)));
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
    return calls.made(call, runnable);
  }

  private String read(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> calls.made("stats", queue::stats);
      case 1 -> calls.made("peek", () -> queue.peek(JobState.READY, PageRequest.first(100)));
      case 2 -> calls.made("list", () -> engine.list(JobFilter.ALL, PageRequest.first(100)));
      case 3 -> calls.made("queues", () -> engine.queues(PageRequest.first(100)));
      case 4 -> calls.made("metrics", engine::metrics);
      case 5 -> calls.made("nextVisible", () -> engine.nextVisible(Load.QUEUE));
      case 6 -> explain();
      default -> verify();
    };
  }

  /** It is answered, whatever becomes of the thread that asks. */
  private String explain() {
    JobId id = side.enqueueAsync(new byte[1], ONCE).join().jobId();
    Optional<Explanation> told = calls.told("explain", () -> engine.explain(id)).answer();
    if (!told.map(Explanation::state).equals(Optional.of(JobState.READY))) {
      ledger.wrong("explain answered of a ready job: " + told);
    }
    return "explain";
  }

  private String verify() {
    calls
        .told("verify", engine::verify)
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
      calls.count("backup");
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
