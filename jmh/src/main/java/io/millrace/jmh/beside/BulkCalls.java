package io.millrace.jmh.beside;

import static io.millrace.jmh.beside.BulkCall.Nature.DIVISIBLE;
import static io.millrace.jmh.beside.BulkCall.Nature.ONE_COMMIT;

import io.millrace.api.DeadFilter;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.SignalResult;
import io.millrace.api.TableRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** The calls at their limits, in the order of the table. */
public final class BulkCalls {

  private static final int MOST = Limits.CALL_JOB_COUNT_MAX;
  private static final int MIB = 1 << 20;
  private static final String SIGNAL = "go";

  /**
   * The name of the call that a store in memory is not asked: rows in memory alone cannot be backed
   * up.
   */
  private static final String BACKUP = "backup with many";

  /** The number of jobs that get signals before they wait for them. */
  private static final int SIGNALLED_COUNT = 200;

  private static final int SIGNALS_EACH = 40;

  /** The longest time, in ns, that it takes to enqueue one of the jobs that are due together. */
  private static final long ENQUEUE_NS_MAX = 100_000;

  /** The time, in ns, after which rows that are removed in the background are gone. */
  private static final long IN_BACKGROUND_NS = 1_000_000_000;

  private BulkCalls() {}

  /** Lists the calls that a store of this kind can be asked. */
  public static List<BulkCall> on(String store) {
    List<BulkCall> calls = new ArrayList<>();
    addCommits(calls);
    addDivisible(calls);
    addLooks(calls);
    if (store.equals("memory")) {
      calls.removeIf(call -> call.name().equals(BACKUP));
    }
    return calls;
  }

  private static void addCommits(List<BulkCall> calls) {
    add(calls, "enqueueAll, 10,000 jobs", ONE_COMMIT, BulkCalls::enqueueAll);
    add(calls, "enqueueAll, 32 jobs of 1 MiB", ONE_COMMIT, BulkCalls::enqueueLarge);
    add(calls, "claim, 10,000 jobs", ONE_COMMIT, BulkCalls::claim);
    add(calls, "completeAll, 10,000 jobs", ONE_COMMIT, BulkCalls::completeAll);
    add(calls, "failAll, 10,000 jobs", ONE_COMMIT, BulkCalls::failAll);
    add(calls, "releaseAll, 10,000 jobs", ONE_COMMIT, BulkCalls::releaseAll);
    add(calls, "extendAll, 10,000 jobs", ONE_COMMIT, BulkCalls::extendAll);
    add(calls, "signalAll, 10,000 jobs", ONE_COMMIT, BulkCalls::signalAll);
    add(calls, "putAll, 10,000 rows", ONE_COMMIT, BulkCalls::putAll);
    add(calls, "transaction, 10,000 enqueues", ONE_COMMIT, BulkCalls::transact);
  }

  private static void addDivisible(List<BulkCall> calls) {
    add(calls, "signals of 4 KiB, 40 each to 200 jobs", DIVISIBLE, BulkCalls::earlySignals);
    add(calls, "enqueues of 4 KiB, 200 at a time", DIVISIBLE, BulkCalls::enqueuesOfSignalSize);
    add(calls, "broadcast to many", DIVISIBLE, BulkCalls::broadcast);
    add(calls, "purge of many", DIVISIBLE, BulkCalls::purge);
    add(calls, "delete of a queue with many, and the second after", DIVISIBLE, BulkCalls::delete);
    add(calls, "redriveAll of many", DIVISIBLE, BulkCalls::redriveAll);
    add(calls, "deleteAll of many dead letters", DIVISIBLE, BulkCalls::deleteAll);
    add(calls, "drop of a table with many rows, and the second after", DIVISIBLE, BulkCalls::drop);
    add(calls, "many delays end together", DIVISIBLE, BulkCalls::delays);
    add(calls, "many times to live end together", DIVISIBLE, BulkCalls::timesToLive);
    add(calls, "many leases end together", DIVISIBLE, BulkCalls::leases);
    add(calls, "perKey is raised for many", DIVISIBLE, BulkCalls::raise);
  }

  private static void addLooks(List<BulkCall> calls) {
    add(calls, "peek at many, 1,000 a page", DIVISIBLE, BulkCalls::peek);
    add(calls, "verify with many", DIVISIBLE, BulkCalls::verify);
    add(calls, BACKUP, DIVISIBLE, BulkCalls::backup);
  }

  private static void add(
      List<BulkCall> calls, String name, BulkCall.Nature nature, BulkCall.Preparation preparation) {
    calls.add(new BulkCall(name, nature, preparation));
  }

  private static Runnable enqueueAll(BulkPlace at) {
    List<NewJob> jobs = BulkPlace.jobs(MOST, EnqueueOptions.DEFAULT);
    return () -> at.queue().enqueueAll(jobs);
  }

  private static Runnable enqueueLarge(BulkPlace at) {
    int count = Limits.CALL_BYTES_MAX / MIB;
    List<NewJob> jobs = Collections.nCopies(count, NewJob.of(new byte[MIB]));
    return () -> at.queue().enqueueAll(jobs);
  }

  private static Runnable claim(BulkPlace at) {
    at.enqueue(MOST, EnqueueOptions.DEFAULT);
    return at::claim;
  }

  private static Runnable completeAll(BulkPlace at) {
    List<Lease> leases = at.leases();
    return () -> at.engine().completeAll(leases).forEach(result -> result.orThrow());
  }

  private static Runnable failAll(BulkPlace at) {
    List<Lease> leases = at.leases();
    return () ->
        at.engine()
            .failAll(leases, "broken", FailOptions.RETRY)
            .forEach(result -> result.orThrow());
  }

  private static Runnable releaseAll(BulkPlace at) {
    List<Lease> leases = at.leases();
    return () -> at.engine().releaseAll(leases).forEach(result -> result.orThrow());
  }

  private static Runnable extendAll(BulkPlace at) {
    List<Lease> leases = at.leases();
    return () ->
        at.engine().extendAll(leases, Duration.ofHours(2)).forEach(result -> result.orThrow());
  }

  private static Runnable signalAll(BulkPlace at) {
    List<JobId> jobs = at.enqueue(MOST, EnqueueOptions.DEFAULT);
    byte[] payload = new byte[BulkPlace.PAYLOAD_BYTES];
    return () ->
        at.engine().signals().signalAll(jobs, SIGNAL, payload).forEach(result -> result.orThrow());
  }

  private static Runnable putAll(BulkPlace at) {
    List<TableRow<Long, byte[]>> rows = BulkPlace.rows(0, Limits.CALL_ROW_COUNT_MAX);
    return () -> at.table().putAll(rows);
  }

  private static Runnable transact(BulkPlace at) {
    byte[] payload = new byte[BulkPlace.PAYLOAD_BYTES];
    return () ->
        at.engine()
            .transact(
                transaction -> {
                  for (int i = 0; i < MOST; i++) {
                    transaction.enqueue(at.name(), payload);
                  }
                  return MOST;
                })
            .orThrow();
  }

  private static Runnable earlySignals(BulkPlace at) {
    List<JobId> jobs = at.enqueue(SIGNALLED_COUNT, EnqueueOptions.DEFAULT);
    byte[] payload = new byte[Limits.SIGNAL_BYTES_MAX];
    return () -> {
      for (int i = 0; i < SIGNALS_EACH; i++) {
        String name = SIGNAL + i;
        List<CompletableFuture<SignalResult>> sent =
            jobs.stream()
                .map(job -> at.engine().signals().signalAsync(job, name, payload))
                .toList();
        sent.forEach(result -> result.join().orThrow());
      }
    };
  }

  /** Writes as many bytes by as many calls as {@link #earlySignals}, for comparison with that. */
  private static Runnable enqueuesOfSignalSize(BulkPlace at) {
    byte[] payload = new byte[Limits.SIGNAL_BYTES_MAX];
    return () -> {
      for (int i = 0; i < SIGNALS_EACH; i++) {
        List<CompletableFuture<EnqueueResult>> sent =
            IntStream.range(0, SIGNALLED_COUNT)
                .mapToObj(job -> at.queue().offerAsync(payload, EnqueueOptions.DEFAULT))
                .toList();
        sent.forEach(result -> result.join().orThrow());
      }
    };
  }

  private static Runnable broadcast(BulkPlace at) {
    at.makeWaiting(SIGNAL);
    return () -> at.engine().signals().broadcast(at.name(), SIGNAL, new byte[0]);
  }

  private static Runnable purge(BulkPlace at) {
    at.enqueue(at.jobCount(), EnqueueOptions.DEFAULT);
    return () -> at.queue().purge(Set.of(JobState.READY));
  }

  private static Runnable delete(BulkPlace at) {
    at.enqueue(at.jobCount(), EnqueueOptions.DEFAULT);
    return () -> {
      at.queue().delete();
      LockSupport.parkNanos(IN_BACKGROUND_NS);
    };
  }

  private static Runnable redriveAll(BulkPlace at) {
    at.makeDead();
    return () -> at.queue().deadLetters().redriveAll(DeadFilter.ALL);
  }

  private static Runnable deleteAll(BulkPlace at) {
    at.makeDead();
    return () -> at.queue().deadLetters().deleteAll(DeadFilter.ALL);
  }

  private static Runnable drop(BulkPlace at) {
    at.putRows();
    return () -> {
      at.table().drop();
      LockSupport.parkNanos(IN_BACKGROUND_NS);
    };
  }

  private static Runnable delays(BulkPlace at) {
    Instant due = due(at);
    at.enqueue(at.jobCount(), EnqueueOptions.DEFAULT.visibleAt(due));
    sleepUntil(due);
    return () -> at.awaitNone(JobState.DELAYED);
  }

  private static Runnable timesToLive(BulkPlace at) {
    Instant due = due(at);
    at.enqueue(
        at.jobCount(),
        () -> EnqueueOptions.DEFAULT.timeToLive(Duration.between(Instant.now(), due)));
    sleepUntil(due);
    return () -> at.awaitNone(JobState.READY);
  }

  private static Runnable leases(BulkPlace at) {
    at.enqueue(at.jobCount(), EnqueueOptions.DEFAULT);
    Instant due = due(at);
    at.leaseUntil(due);
    sleepUntil(due);
    return () -> at.awaitNone(JobState.LEASED);
  }

  /**
   * Returns the time at which all jobs are to be due: by then all of them are enqueued, or leased.
   */
  private static Instant due(BulkPlace at) {
    return Instant.now().plusMillis(200).plusNanos(at.jobCount() * ENQUEUE_NS_MAX);
  }

  private static void sleepUntil(Instant due) {
    LockSupport.parkUntil(due.toEpochMilli());
  }

  private static Runnable raise(BulkPlace at) {
    at.queue().configure(settings -> settings.perKey(1));
    at.enqueue(at.jobCount(), EnqueueOptions.DEFAULT.concurrencyKey("one"));
    return () -> {
      at.queue().configure(settings -> settings.perKey(Limits.PER_KEY_MAX));
      at.awaitNone(JobState.BLOCKED);
    };
  }

  private static Runnable peek(BulkPlace at) {
    at.enqueue(at.jobCount(), EnqueueOptions.DEFAULT);
    return () -> {
      Optional<String> next = Optional.empty();
      do {
        PageRequest page = new PageRequest(Limits.PAGE_SIZE_MAX, next);
        next = at.queue().peek(JobState.READY, page).next();
      } while (next.isPresent());
    };
  }

  private static Runnable verify(BulkPlace at) {
    at.enqueue(at.jobCount(), EnqueueOptions.DEFAULT);
    return () -> at.engine().verify();
  }

  private static Runnable backup(BulkPlace at) {
    at.enqueue(at.jobCount(), EnqueueOptions.DEFAULT);
    return () -> at.engine().backup(at.folder().resolve("backup-" + at.number()));
  }
}
