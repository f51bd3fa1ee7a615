package io.millrace.model.crash;

import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Durability;
import io.millrace.api.EngineClosedException;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.ReleaseResult;
import io.millrace.model.crash.Journal.Event;
import io.millrace.model.crash.Journal.Line;
import io.millrace.model.crash.Op.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Claims jobs and does with them whatever a worker may do; most are completed, a few are kept until
 * the process dies.
 */
final class Consumer implements Runnable {

  private static final Duration WAITING = Duration.ofMillis(20);
  private static final Duration SNOOZE = Duration.ofMillis(5);
  private static final int CLAIM_MAX = 5;
  private static final int HELD_MAX = 8;

  private final Site site;
  private final String name;
  private final Random random;
  private final Asking asking;
  private int heldCount;

  Consumer(Site site, String name, long seed) {
    this.site = site;
    this.name = name;
    this.random = new Random(seed);
    this.asking = new Asking(site.journal(), name);
  }

  @Override
  public void run() {
    while (site.isOn()) {
      List<Lease> leases = claim(nextQueues(), 1 + random.nextInt(CLAIM_MAX), WAITING);
      if (leases.size() > 1 && random.nextInt(4) == 0) {
        completeAll(leases);
      } else {
        leases.forEach(this::work);
      }
    }
  }

  private List<QueueName> nextQueues() {
    int chance = random.nextInt(Workload.QUEUES.size() + 1);
    return chance == 0 ? Workload.QUEUES : List.of(Workload.QUEUES.get(chance - 1));
  }

  /** Claims, and writes down what it got; a damaged one is left alone. */
  List<Lease> claim(List<QueueName> queues, int max, Duration waiting) {
    String call = asking.nextCall();
    String names = String.join(",", queues.stream().map(QueueName::name).toList());
    site.journal().add(Event.ASK, call, Op.CLAIM, names, max);
    List<Lease> leases;
    try {
      leases = site.engine().claim(queues, ClaimOptions.by(name).max(max).waiting(waiting));
    } catch (EngineClosedException e) {
      site.journal().add(Event.TOLD, call, Op.CLAIM, Reply.REFUSED);
      throw e;
    }
    List<Line> lines = new ArrayList<>();
    List<Lease> whole = new ArrayList<>();
    for (Lease lease : leases) {
      Payload.Named named = Payload.newest(lease);
      if (!named.equals(Payload.Named.NONE)) {
        whole.add(lease);
      }
      lines.add(
          Journal.line(
              Event.LEASED,
              named.job(),
              call,
              lease.jobId(),
              lease.token(),
              lease.attempt(),
              named.version()));
    }
    lines.add(Journal.line(Event.TOLD, call, Op.CLAIM, Reply.OK));
    site.journal().addAll(lines);
    return whole;
  }

  void completeAll(List<Lease> leases) {
    Durability level = site.plan().level().next(random);
    asking.many(
        Op.COMPLETE,
        leases.stream().map(Consumer::jobOf).toList(),
        level,
        () -> site.engine().with(level).completeAll(leases),
        Asking::completed);
    leases.forEach(lease -> site.noteCompleted());
  }

  private static String jobOf(Lease lease) {
    return Payload.newest(lease).job();
  }

  private void work(Lease claimed) {
    Durability level = site.plan().level().next(random);
    Lease lease = claimed.with(level);
    String job = jobOf(lease);
    int chance = random.nextInt(100);
    if (chance < 6) {
      checkpoint(lease, job, level);
      chance = random.nextInt(100);
    } else if (chance < 8) {
      extend(lease, job);
      chance = random.nextInt(100);
    } else if (chance < 11) {
      requestCancel(lease, job, level);
      chance = random.nextInt(100);
    }
    if (chance < 4) {
      handBack(Op.RELEASE, job, level, lease::release);
    } else if (chance < 8) {
      handBack(Op.SNOOZE, job, level, () -> lease.snooze(SNOOZE));
    } else if (chance < 18) {
      fail(lease, job, level, chance < 14 ? Op.FAIL : Op.FAIL_FOR_GOOD);
    } else if (chance >= 97 && heldCount < HELD_MAX) {
      heldCount++;
    } else {
      complete(lease, job, level);
    }
  }

  private void complete(Lease lease, String job, Durability level) {
    asking.one(Op.COMPLETE, job, level, lease::complete, Asking::completed);
    if (random.nextInt(20) == 0) {
      asking.one(Op.COMPLETE_AGAIN, job, level, lease::complete, Asking::completed);
    }
    site.noteCompleted();
  }

  private void handBack(Op op, String job, Durability level, Supplier<ReleaseResult> call) {
    Reply told = asking.one(op, job, level, call, Consumer::handedBack);
    if (told == Reply.CANCELLED) {
      site.left();
    }
  }

  private static Reply handedBack(ReleaseResult result) {
    return switch (result) {
      case RELEASED -> Reply.OK;
      case CANCELLED -> Reply.CANCELLED;
      case STALE_LEASE, GONE -> Reply.NOTHING;
    };
  }

  private void fail(Lease lease, String job, Durability level, Op op) {
    FailOptions how = op == Op.FAIL ? FailOptions.RETRY : FailOptions.PERMANENT;
    Reply told = asking.one(op, job, level, () -> lease.fail("chance", how), Consumer::failed);
    if (told == Reply.DEAD) {
      int version = Payload.newest(lease).version();
      site.tending().take(job, lease.jobId(), version, true);
    }
    if (told != Reply.OK) {
      site.left();
    }
  }

  private static Reply failed(FailResult result) {
    if (result instanceof FailResult.Retried) {
      return Reply.OK;
    }
    if (result instanceof FailResult.Died) {
      return Reply.DEAD;
    }
    return result instanceof FailResult.Cancelled ? Reply.CANCELLED : Reply.NOTHING;
  }

  private void checkpoint(Lease lease, String job, Durability level) {
    int version = Payload.newest(lease).version();
    asking.one(
        Op.CHECKPOINT,
        job,
        level,
        () -> lease.checkpoint(Payload.of(job, version + 1)),
        Consumer::extended);
  }

  private static Reply extended(ExtendResult result) {
    return result instanceof ExtendResult.Extended ? Reply.OK : Reply.NOTHING;
  }

  private void extend(Lease lease, String job) {
    if (extended(lease.extend(Duration.ofMinutes(1))) != Reply.OK) {
      site.journal().add(Event.WRONG, job, "lease is over that was not ended");
    }
  }

  private void requestCancel(Lease lease, String job, Durability level) {
    asking.one(
        Op.REQUEST_CANCEL,
        job,
        level,
        () -> site.engine().with(level).cancel(lease.jobId()),
        result -> result == CancelResult.REQUESTED ? Reply.OK : Reply.NOTHING);
  }
}
