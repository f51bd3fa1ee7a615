package io.millrace.model.crash;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.ReleaseResult;
import io.millrace.engine.JobEngine;
import io.millrace.model.crash.Journal.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A process that enqueues and works jobs, and keeps a journal of what it was told, until it is
 * killed. It says so once it has completed some, and stops cleanly when its standard input ends.
 *
 * <p>Each queue has one producer and one consumer, so that the journal's order is the order of
 * serving.
 */
final class KillWorker {

  static final List<String> QUEUES = List.of("mail", "print");
  private static final Duration WAITING = Duration.ofMillis(20);
  private static final int BACKLOG_MAX = 300;

  private final JobEngine engine;
  private final Journal journal;
  private final String life;
  private final long seed;
  private final Map<String, Semaphore> backlogs = new HashMap<>();
  private final CountDownLatch completed;
  private volatile boolean isStopping;

  private KillWorker(JobEngine engine, Journal journal, String life, int completedLeast) {
    this.engine = engine;
    this.journal = journal;
    this.life = life;
    this.seed = life.hashCode();
    this.completed = new CountDownLatch(completedLeast);
    QUEUES.forEach(queue -> backlogs.put(queue, new Semaphore(BACKLOG_MAX)));
  }

  /**
   * Arguments: store's location, journal, durability, name of this life, how many jobs are to be
   * completed before it says so.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    EngineOptions options = EngineOptions.DEFAULT.durability(Durability.valueOf(args[2]));
    try (Journal journal = Journal.append(Path.of(args[1]))) {
      JobEngine engine = JobEngine.open(args[0], options);
      journal.add(Event.BEGIN, args[3], "-");
      new KillWorker(engine, journal, args[3], Integer.parseInt(args[4])).run();
    }
  }

  private void run() throws IOException, InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (String queue : QUEUES) {
      threads.add(new Thread(() -> untilClosed(() -> produce(queue))));
      threads.add(new Thread(() -> untilClosed(() -> consume(queue))));
    }
    threads.forEach(Thread::start);
    completed.await();
    System.out.println("working");
    while (System.in.read() >= 0) {
      // Whoever started this process says stop by closing its end.
    }
    isStopping = true;
    engine.close();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void untilClosed(Runnable work) {
    try {
      work.run();
    } catch (EngineClosedException stopped) {
      // The clean stop.
    } catch (RuntimeException | Error e) {
      journal.add(Event.WRONG, life, e.toString().replace('\n', ' '));
    }
  }

  private void produce(String name) {
    JobQueue queue = engine.queue(name);
    Random random = new Random(seed);
    for (int number = 0; !isStopping; number++) {
      while (!mayEnqueue(name)) {
        if (isStopping) {
          return;
        }
      }
      int priority = random.nextInt(3) - 1;
      String job = name + ":" + priority + ":" + life + ":" + number;
      EnqueueOptions options =
          EnqueueOptions.DEFAULT
              .priority(priority)
              .maxAttempts(4)
              .backoff(Backoff.fixed(Duration.ofMillis(5)));
      journal.add(Event.ENQUEUE, job, "-");
      journal.add(Event.ENQUEUED, job, queue.enqueue(Payload.of(job, number), options).jobId());
    }
  }

  /** Waits a little for the consumer to catch up. */
  private boolean mayEnqueue(String queue) {
    try {
      return backlog(queue).tryAcquire(WAITING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  private Semaphore backlog(String queue) {
    return Objects.requireNonNull(backlogs.get(queue));
  }

  private void consume(String name) {
    JobQueue queue = engine.queue(name);
    Random random = new Random(seed + 1);
    while (true) {
      for (Lease lease :
          queue.claim(ClaimOptions.by(life).max(1 + random.nextInt(3)).waiting(WAITING))) {
        work(lease, random.nextInt(20));
        backlog(name).release();
      }
    }
  }

  private void work(Lease lease, int chance) {
    String job = nameOf(lease);
    journal.add(Event.LEASED, job, lease.token() + "/" + lease.attempt());
    if (chance == 0) {
      journal.add(Event.RELEASE, job, lease.token());
      require(lease.release() == ReleaseResult.RELEASED, job, "release refused");
      journal.add(Event.RELEASED, job, lease.token());
    } else if (chance <= 3) {
      journal.add(Event.FAIL, job, lease.token());
      FailResult result =
          lease.fail("chance", chance == 1 ? FailOptions.PERMANENT : FailOptions.RETRY);
      require(
          result instanceof FailResult.Retried || result instanceof FailResult.Dead,
          job,
          "fail refused");
      journal.add(
          result instanceof FailResult.Dead ? Event.DEAD : Event.FAILED, job, lease.token());
    } else {
      journal.add(Event.COMPLETE, job, lease.token());
      require(lease.complete() == CompleteResult.COMPLETED, job, "complete refused");
      journal.add(Event.COMPLETED, job, lease.token());
      completed.countDown();
    }
  }

  static String nameOf(Lease lease) {
    String text = new String(lease.payload(), StandardCharsets.UTF_8);
    String name = text.substring(0, Math.max(0, text.indexOf('|')));
    int number = name.isEmpty() ? 0 : Integer.parseInt(name.substring(name.lastIndexOf(':') + 1));
    return Payload.nameIn(lease.payload(), number);
  }

  private void require(boolean isRight, String job, String otherwise) {
    if (!isRight) {
      journal.add(Event.WRONG, job, otherwise);
    }
  }
}
