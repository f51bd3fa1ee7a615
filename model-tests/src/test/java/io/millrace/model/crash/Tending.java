package io.millrace.model.crash;

import io.millrace.api.CancelResult;
import io.millrace.api.Durability;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.RescheduleResult;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.engine.JobEngine;
import io.millrace.model.crash.Op.Reply;
import java.time.Instant;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * The operator: redrives, cancels and deletes dead letters, and reschedules, updates and cancels
 * jobs whose time is far away. Nobody else touches these, but the cancel of an impatient producer.
 */
final class Tending {

  private final Site site;
  private final Queue<Tended> jobs = new ConcurrentLinkedQueue<>();

  private record Tended(String job, JobId id, int version, boolean isDead) {}

  Tending(Site site) {
    this.site = site;
  }

  /** From here on the job is the operator's. */
  void take(String job, JobId id, int version, boolean isDead) {
    if (!job.equals(Payload.DAMAGED)) {
      jobs.add(new Tended(job, id, version, isDead));
    }
  }

  void run(long seed) {
    Random random = new Random(seed);
    Asking asking = new Asking(site.journal(), site.plan().life() + ".t");
    while (site.isOn()) {
      Tended tended = jobs.poll();
      if (tended == null || random.nextInt(3) == 0) {
        LockSupport.parkNanos(1_000_000);
      } else if (tended.isDead()) {
        tendDead(tended, asking, random);
      } else {
        tendFar(tended, asking, random);
      }
    }
  }

  private void tendDead(Tended dead, Asking asking, Random random) {
    Durability level = site.plan().level().next(random);
    JobEngine engine = site.engine().with(level);
    JobQueue queue = engine.queue(Workload.queueOf(dead.job()));
    int chance = random.nextInt(6);
    if (chance == 0) {
      asking.one(
          Op.REMOVE,
          dead.job(),
          level,
          () -> engine.cancelIfWaiting(dead.id()),
          Tending::cancelled);
    } else if (chance < 4) {
      asking.one(
          Op.REMOVE,
          dead.job(),
          level,
          () -> queue.deadLetters().delete(dead.id()),
          isDone -> isDone ? Reply.OK : Reply.NOTHING);
    } else if (chance == 4) {
      Reply told =
          asking.one(
              Op.REDRIVE,
              dead.job(),
              level,
              () -> queue.deadLetters().redrive(dead.id()),
              result -> result.isDone() ? Reply.OK : Reply.NOTHING);
      site.came(told == Reply.OK ? 1 : 0);
    }
  }

  private static Reply cancelled(CancelResult result) {
    return result == CancelResult.CANCELLED ? Reply.OK : Reply.NOTHING;
  }

  private void tendFar(Tended far, Asking asking, Random random) {
    Durability level = site.plan().level().next(random);
    switch (random.nextInt(4)) {
      case 0 -> reschedule(far, asking, level);
      case 1 -> {
        JobEngine engine = site.engine().with(level);
        asking.one(
            Op.REMOVE,
            far.job(),
            level,
            () -> engine.cancelIfWaiting(far.id()),
            Tending::cancelled);
        site.left();
      }
      case 2 -> update(far, asking, level);
      default -> {
        // It is left alone in this life.
      }
    }
  }

  private void update(Tended far, Asking asking, Durability level) {
    int version = far.version() + 1;
    UpdateOptions change = UpdateOptions.NOTHING.payload(Payload.of(far.job(), version));
    asking.one(
        Op.UPDATE,
        far.job(),
        level,
        () -> site.engine().with(level).update(far.id(), change),
        result -> result == UpdateResult.UPDATED ? Reply.OK : Reply.NOTHING);
    take(far.job(), far.id(), version, false);
  }

  private void reschedule(Tended far, Asking asking, Durability level) {
    Instant past = Instant.EPOCH;
    asking.one(
        Op.RESCHEDULE,
        far.job(),
        level,
        () -> site.engine().with(level).reschedule(far.id(), past),
        result -> result == RescheduleResult.RESCHEDULED ? Reply.OK : Reply.NOTHING);
  }

  /** Brings all that is far away to now, for the last process to serve it. */
  void bringAllToNow() {
    Asking asking = new Asking(site.journal(), site.plan().life() + ".t");
    for (Tended tended = jobs.poll(); tended != null; tended = jobs.poll()) {
      if (!tended.isDead()) {
        reschedule(tended, asking, Durability.SYNCED);
      }
    }
  }
}
