package io.millrace.model.crash;

import io.millrace.api.CancelResult;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.model.crash.Op.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * Enqueues jobs: one by one, many in a call, or without waiting for the answers; most ready, some
 * delayed, a few for a time that never comes. Cancels one now and then, whoever may work on it.
 */
final class Producer implements Runnable {

  private static final int MANY_MAX = 20;
  private static final int PERCENT_DELAYED = 8;
  private static final int PERCENT_FAR = 3;
  private static final int PERCENT_CANCELLED = 4;
  private static final int DELAY_MS_MAX = 30;

  private final Site site;
  private final String name;
  private final Random random;
  private final Asking asking;
  private int number;

  Producer(Site site, String name, long seed) {
    this.site = site;
    this.name = name;
    this.random = new Random(seed);
    this.asking = new Asking(site.journal(), name);
  }

  @Override
  public void run() {
    while (site.isOn()) {
      if (!site.hasRoom()) {
        LockSupport.parkNanos(500_000);
        continue;
      }
      switch (random.nextInt(8)) {
        case 0 -> enqueueMany();
        case 1 -> enqueueWithoutWaiting();
        default -> enqueueOne();
      }
    }
  }

  /** One job, ready at once. */
  void enqueueFirst() {
    QueueName queue = nextQueue();
    enqueue(Op.ENQUEUE, queue, nextJob(queue), Duration.ZERO);
  }

  private QueueName nextQueue() {
    return Workload.QUEUES.get(random.nextInt(Workload.QUEUES.size()));
  }

  private String nextJob(QueueName queue) {
    return Workload.name(queue, random.nextInt(3) - 1, name, number++);
  }

  private void enqueueOne() {
    QueueName queue = nextQueue();
    String job = nextJob(queue);
    int chance = random.nextInt(100);
    if (chance < PERCENT_DELAYED) {
      Duration delay = Duration.ofMillis(1 + random.nextInt(DELAY_MS_MAX));
      enqueue(Op.ENQUEUE_LATER, queue, job, delay);
    } else if (chance < PERCENT_DELAYED + PERCENT_FAR) {
      JobId id = enqueue(Op.ENQUEUE_LATER, queue, job, Workload.FAR);
      site.tending().take(job, id, 0, false);
    } else {
      JobId id = enqueue(Op.ENQUEUE, queue, job, Duration.ZERO);
      if (random.nextInt(100) < PERCENT_CANCELLED) {
        cancel(job, id);
      }
    }
  }

  private JobId enqueue(Op op, QueueName queue, String job, Duration delay) {
    Durability level = site.plan().level().next(random);
    EnqueueOptions options = Workload.options(job).delay(delay);
    List<Enqueued> result = new ArrayList<>();
    asking.one(
        op,
        job,
        level,
        () -> {
          result.add(queue(queue, level).enqueue(Payload.of(job, 0), options));
          return result.get(0);
        },
        enqueued -> Reply.OK);
    site.came(1);
    return result.get(0).jobId();
  }

  private void cancel(String job, JobId id) {
    Durability level = site.plan().level().next(random);
    Reply told =
        asking.one(
            Op.CANCEL,
            job,
            level,
            () -> site.engine().with(level).cancelIfWaiting(id),
            result -> result == CancelResult.CANCELLED ? Reply.OK : Reply.NOTHING);
    if (told == Reply.OK) {
      site.left();
    }
  }

  private void enqueueMany() {
    QueueName queue = nextQueue();
    Durability level = site.plan().level().next(random);
    List<String> jobs = new ArrayList<>();
    List<NewJob> content = new ArrayList<>();
    int count = 1 + random.nextInt(MANY_MAX);
    for (int i = 0; i < count; i++) {
      String job = nextJob(queue);
      jobs.add(job);
      content.add(new NewJob(Payload.of(job, 0), Workload.options(job)));
    }
    asking.many(
        Op.ENQUEUE, jobs, level, () -> queue(queue, level).enqueueAll(content), done -> Reply.OK);
    site.came(count);
  }

  private void enqueueWithoutWaiting() {
    QueueName queue = nextQueue();
    Durability level = site.plan().level().next(random);
    List<CompletableFuture<Void>> answers = new ArrayList<>();
    int count = 1 + random.nextInt(MANY_MAX);
    for (int i = 0; i < count; i++) {
      String job = nextJob(queue);
      byte[] payload = Payload.of(job, 0);
      answers.add(
          asking.later(
              job,
              Op.ENQUEUE,
              level,
              () -> queue(queue, level).enqueueAsync(payload, Workload.options(job))));
    }
    site.came(count);
    answers.forEach(CompletableFuture::join);
  }

  private JobQueue queue(QueueName queue, Durability level) {
    return site.engine().queue(queue).with(level);
  }
}
