package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.MillraceException;
import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.JobEnd;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.Result;
import io.millrace.api.Submitted;
import io.millrace.api.Table;
import io.millrace.api.TransactionResult;
import io.millrace.api.UniqueKey;
import io.millrace.client.RemoteQueues;
import io.millrace.model.crash.Journal.Event;
import io.millrace.model.crash.Op.Reply;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.logging.LogManager;

/**
 * A process that enqueues jobs at a server and works on them, and writes down what it asked for and
 * what it was told, until it is killed. Told {@value #DRAIN} it enqueues no more, and says {@value
 * #DRAINING} when all its enqueues are answered; at the end of its input it says goodbye to the
 * server. It says {@code working} when it has completed some jobs.
 */
final class RemoteClient {

  static final QueueName QUEUE = QueueName.of("work");
  static final String DRAIN = "drain";
  static final String DRAINING = "draining";

  /** The tables of the jobs that were made, and completed, in transactions. */
  static final String MADE = "made";

  static final String DONE = "done";

  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration BEGIN_TIMEOUT = Duration.ofMinutes(1);
  private static final int BACKLOG_MAX = 200;
  private static final int COMPLETED_LEAST = 20;
  private static final int LOOK_EVERY = 20;

  private final RemoteQueues queues;
  private final Journal journal;
  private final String life;
  private final Duration lease;
  private final Table<String, Long> made;
  private final Table<String, Long> done;
  private final List<Thread> producers = new ArrayList<>();
  private final List<Thread> consumers = new ArrayList<>();
  private final Queue<CompletableFuture<?>> ends = new ConcurrentLinkedQueue<>();
  private final AtomicInteger toComplete = new AtomicInteger(COMPLETED_LEAST);
  private volatile boolean isEnqueuing = true;
  private volatile boolean isOn = true;

  private RemoteClient(RemoteQueues queues, Journal journal, String life, Duration lease) {
    this.queues = queues;
    this.journal = journal;
    this.life = life;
    this.lease = lease;
    this.made = counts(queues, MADE);
    this.done = counts(queues, DONE);
  }

  static Table<String, Long> counts(JobQueues queues, String name) {
    return queues.table(name, Codec.TEXT, Codec.LONG);
  }

  /**
   * Arguments: the server's port, the journal, a name unlike any before, a seed, the lease in ms.
   */
  public static void main(String[] args) throws Exception {
    LogManager.getLogManager().reset(); // What gRPC says of cuts would bury the results.
    Random random = new Random(Long.parseLong(args[3]));
    try (Journal journal = Journal.create(Path.of(args[1]));
        RemoteQueues queues =
            RemoteQueues.connect(
                "millrace://127.0.0.1:" + args[0],
                o -> o.callTimeout(CALL_TIMEOUT).connectTimeout(BEGIN_TIMEOUT))) {
      Duration lease = Duration.ofMillis(Long.parseLong(args[4]));
      RemoteClient client = new RemoteClient(queues, journal, args[2], lease);
      client.producers.add(client.start("p1", random, client::enqueue));
      client.producers.add(client.start("p2", random, client::enqueue));
      client.consumers.add(client.start("c1", random, client::work));
      client.consumers.add(client.start("c2", random, client::work));
      client.consumers.add(client.start("slow", random, client::workLong));
      BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
      while (input.readLine() != null) {
        client.drain();
      }
      client.end();
    }
  }

  private Thread start(String name, Random random, BiConsumer<RemoteAsking, Random> work) {
    String asker = life + "." + name;
    Random own = new Random(random.nextLong());
    Thread thread =
        new Thread(
            () -> {
              try {
                work.accept(new RemoteAsking(journal, asker), own);
              } catch (RuntimeException | Error e) {
                journal.add(Event.WRONG, asker, e, List.of(e.getStackTrace()));
              }
            },
            asker);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void drain() throws InterruptedException {
    isEnqueuing = false;
    join(producers);
    System.out.println(DRAINING);
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void end() throws Exception {
    isEnqueuing = false;
    isOn = false;
    join(producers);
    join(consumers);
    CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
        .get(BEGIN_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    journal.add(Event.END, life, "goodbye");
  }

  // Jobs are enqueued.

  private void enqueue(RemoteAsking asking, Random random) {
    for (int i = 0; isEnqueuing; i++) {
      String job = Thread.currentThread().getName() + "." + i;
      switch (random.nextInt(8)) {
        case 0 -> enqueueOnce(asking, job);
        case 1 -> enqueueWithRow(asking, job);
        case 2 -> submit(asking, job);
        case 3 -> enqueueAll(asking, List.of(job, job + "a", job + "b", job + "c"));
        default -> enqueueAll(asking, List.of(job));
      }
      if (i % LOOK_EVERY == 0) {
        awaitRoom();
      }
    }
  }

  private static NewJob newJob(String job) {
    return newJob(job, options -> options);
  }

  private static NewJob newJob(String job, UnaryOperator<EnqueueOptions> more) {
    EnqueueOptions options =
        EnqueueOptions.DEFAULT
            .maxAttempts(1_000)
            .backoff(Backoff.fixed(Duration.ofMillis(5)))
            .headers(Workload.headers(job));
    return new NewJob(Payload.of(job, 1), more.apply(options));
  }

  private void enqueueAll(RemoteAsking asking, List<String> jobs) {
    asking.enqueue(
        RemoteOp.ENQUEUE,
        jobs,
        () -> queues.queue(QUEUE).enqueueAll(jobs.stream().map(RemoteClient::newJob).toList()));
  }

  /** Enqueues a job until that is answered, under a key by which it counts once. */
  private void enqueueOnce(RemoteAsking asking, String job) {
    UniqueKey key = UniqueKey.of(job).within(Duration.ofHours(1));
    List<Enqueued> told = List.of();
    while (told.isEmpty() && isOn) {
      told =
          asking.enqueue(
              RemoteOp.ENQUEUE_ONCE,
              List.of(job),
              () -> queues.queue(QUEUE).enqueueAll(List.of(newJob(job, o -> o.unique(key)))));
    }
  }

  private void enqueueWithRow(RemoteAsking asking, String job) {
    NewJob added = newJob(job);
    asking.enqueue(
        RemoteOp.ENQUEUE_WITH_ROW,
        List.of(job),
        () ->
            List.of(
                queues
                    .transact(
                        tx -> {
                          tx.add(made, job, 1);
                          return new Enqueued(tx.enqueue(QUEUE, added.payload(), added.options()));
                        })
                    .orThrow()));
  }

  private void submit(RemoteAsking asking, String job) {
    NewJob added = newJob(job);
    List<Submitted<byte[]>> submitted =
        asking.enqueue(
            RemoteOp.SUBMIT,
            List.of(job),
            () -> List.of(queues.queue(QUEUE).submit(added.payload(), added.options())));
    submitted.forEach(
        it ->
            ends.add(
                it.end()
                    .handle(
                        (end, thrown) -> {
                          tellEnd(job, end, thrown);
                          return job;
                        })));
  }

  private void tellEnd(String job, JobEnd<byte[]> end, Throwable thrown) {
    // Of a job that ends while there is no server the next one knows nothing.
    if (end instanceof JobEnd.Completed || end instanceof JobEnd.Gone) {
      journal.add(Event.TOLD, job, RemoteOp.END, Reply.OK, "-", "-");
    } else {
      journal.add(Event.WRONG, job, RemoteOp.END, String.valueOf(end), String.valueOf(thrown));
    }
  }

  private void awaitRoom() {
    try {
      while (isEnqueuing
          && queues.queue(QUEUE).stats().map(it -> it.count(JobState.READY)).orElse(0L)
              > BACKLOG_MAX) {
        pause(Duration.ofMillis(5));
      }
    } catch (MillraceException e) {
      return; // There is no server: the next enqueue is told of it, too.
    }
  }

  private static void pause(Duration time) {
    LockSupport.parkNanos(time.toNanos());
  }

  // Jobs are worked on.

  private void work(RemoteAsking asking, Random random) {
    while (isOn) {
      List<Lease> leases =
          claim(asking, 1 + random.nextInt(5), Duration.ofMillis(random.nextInt(300)));
      if (leases.size() > 1 && random.nextInt(4) == 0) {
        asking.about(
            RemoteOp.COMPLETE, leases, () -> queues.completeAll(leases), RemoteClient::reply);
      } else {
        leases.forEach(lease -> work(asking, lease, random.nextInt(100)));
      }
      int missing = toComplete.getAndAdd(-leases.size());
      if (missing > 0 && missing <= leases.size()) {
        System.out.println("working");
      }
    }
  }

  private List<Lease> claim(RemoteAsking asking, int max, Duration waiting) {
    String worker = Thread.currentThread().getName();
    return asking.claim(
        queues, QUEUE, ClaimOptions.by(worker).max(max).waiting(waiting).leaseDuration(lease));
  }

  private void work(RemoteAsking asking, Lease lease, int chance) {
    if (chance < 1) {
      return; // It forgets the job, whose lease runs out.
    } else if (chance < 10) {
      asking.about(
          RemoteOp.FAIL, lease, () -> lease.fail("chance", FailOptions.RETRY), RemoteClient::reply);
    } else if (chance < 15) {
      asking.about(RemoteOp.RELEASE, lease, lease::release, RemoteClient::reply);
    } else if (chance < 35) {
      completeAndCount(asking, lease);
    } else if (chance < 40 && !extend(asking, lease)) {
      return; // It is another's now.
    } else {
      complete(asking, lease);
    }
  }

  private static Reply reply(Result<?> result) {
    return result.isDone() ? Reply.OK : Reply.NOTHING;
  }

  private void complete(RemoteAsking asking, Lease lease) {
    Optional<CompleteResult> unused =
        asking.about(RemoteOp.COMPLETE, lease, lease::complete, RemoteClient::reply);
  }

  private void completeAndCount(RemoteAsking asking, Lease lease) {
    String job = RemoteAsking.jobOf(lease);
    Optional<TransactionResult<Long>> unused =
        asking.about(
            RemoteOp.COMPLETE_AND_COUNT,
            lease,
            () ->
                queues.transact(
                    tx -> {
                      long count = tx.get(done, job).orElse(0L) + 1;
                      tx.put(done, job, count);
                      tx.complete(lease);
                      return count;
                    }),
            result -> result instanceof TransactionResult.Conflict ? Reply.REFUSED : reply(result));
  }

  /** Lengthens the lease; tells whether it may go on. */
  private boolean extend(RemoteAsking asking, Lease held) {
    return asking
        .about(RemoteOp.EXTEND, held, () -> held.extend(lease), RemoteClient::reply)
        .map(Result::isDone)
        .orElse(true);
  }

  /** Works on one job at a time, for longer than a lease lasts. */
  private void workLong(RemoteAsking asking, Random random) {
    while (isOn) {
      for (Lease held : claim(asking, 1, Duration.ofMillis(100))) {
        boolean isOurs = true;
        for (int i = 0; i < 6 && isOurs && isEnqueuing; i++) {
          pause(lease.dividedBy(4));
          isOurs = extend(asking, held);
        }
        if (isOurs) {
          complete(asking, held);
        }
      }
    }
  }
}
