package io.millrace.model.damage;

import io.millrace.api.Backoff;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.api.Table;
import io.millrace.api.UpdateOptions;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a store holds before it is damaged: jobs in every state, each known by its payload, signals
 * that they were told or will be, notes of some in a table, batches, and traces of jobs that are
 * gone. Every call was answered, so nothing of it may be lost unseen.
 *
 * <p>As a program it fills a store and leaves it, closed or as the death of its process would.
 */
final class Contents {

  static final List<QueueName> QUEUES =
      List.of(QueueName.of("mail"), new QueueName("mail", "acme"), QueueName.of("a/b\0ü"));

  static final Map<String, String> HEADERS = Map.of("content-type", "text/plain", "ü", "");
  static final Duration DELAY = Duration.ofHours(1);
  static final String ERROR = "it broke";
  static final byte[] RESULT = Labels.payload("result");

  /** The signal that jobs wait for; its payload is that of the job. */
  static final String SIGNAL = "go";

  /** Jobs that have the signal before they wait for it. */
  static final String EARLY = "early-";

  /** Jobs that were woken by the signal. */
  static final String WOKEN = "woken-";

  /** The table of notes: payloads by names of jobs. */
  static final String NOTES = "notes";

  /** Jobs that were enqueued together with their note. */
  private static final String NOTED = "noted-";

  /** Rounds that have batches; the last one always has. */
  private static final int BATCH_ROUNDS_MAX = 10;

  /** Higher than that of any job that waits. */
  private static final int NEXT = 100;

  private static final Duration KEPT = Duration.ofDays(1_000);

  private final List<Entry> jobs = new ArrayList<>();
  private JobEngine engine;

  private Contents(JobEngine engine) {
    this.engine = engine;
  }

  /** How a store is left. */
  enum Stop {
    CLOSED,
    KILLED
  }

  /** What must be found of a job. */
  enum Fate {
    /** It can be claimed, at the latest after {@link #DELAY}. */
    SERVED,
    DEAD,
    DONE,
    /** It waits for a batch that has a dead letter. */
    WAITS,
    /** It is gone and does not come back. */
    GONE
  }

  /** A job, or one that was. */
  record Entry(String name, JobId id, Fate fate) {

    private static Entry parse(String line) {
      String[] parts = line.split(" ");
      return new Entry(parts[0], JobId.parse(parts[1]), Fate.valueOf(parts[2]));
    }

    /** Whether there is a note of it. */
    boolean isNoted() {
      return name.startsWith(NOTED);
    }

    /** The name of the batch that it comes after. */
    Optional<String> after() {
      int end = name.indexOf(DamagedBatches.AFTER_MARK);
      return end < 0 ? Optional.empty() : Optional.of(name.substring(0, end));
    }

    private String line() {
      return name + " " + id + " " + fate;
    }
  }

  static List<Entry> read(Path file) throws IOException {
    return Files.readAllLines(file).stream().map(Entry::parse).toList();
  }

  /**
   * Leaves a copy of the store between its two openings beside it, too.
   *
   * <p>Arguments: location of the store, file for the list of jobs, {@link Stop}, how many jobs of
   * each kind in each queue, beside those of the last opening.
   */
  public static void main(String[] arguments) throws IOException {
    Contents contents = new Contents(JobEngine.open(arguments[0]));
    int rounds = Integer.parseInt(arguments[3]);
    for (int round = 0; round < rounds; round++) {
      contents.fillAll(round);
      if (round < BATCH_ROUNDS_MAX) {
        contents.fillBatches(round);
      }
    }
    // What was in a log goes into a table, where a store has such.
    contents.engine.close();
    Path folder = StoreOptions.of(arguments[0].substring(arguments[0].indexOf(':') + 1)).folder();
    Specimen.copy(folder, Specimen.older(folder));
    contents.engine = JobEngine.open(arguments[0]);
    contents.fillAll(rounds);
    contents.fillBatches(rounds);
    for (QueueName queue : QUEUES) {
      contents.lease(queue);
    }
    contents.awaitWatermark(folder.resolve("WATERMARK"));
    Files.write(Path.of(arguments[1]), contents.jobs.stream().map(Entry::line).toList());
    if (Stop.valueOf(arguments[2]) == Stop.CLOSED) {
      contents.engine.close();
    }
    Runtime.getRuntime().halt(0);
  }

  /** Until the store has written down that all of this is durable, as it does once a second. */
  private void awaitWatermark(Path file) throws IOException {
    byte[] before = Files.readAllBytes(file);
    while (Arrays.equals(Files.readAllBytes(file), before)) {
      engine.queue("gone").enqueue(new byte[1]);
      engine.queue("gone").delete();
    }
  }

  private void fillAll(int round) {
    for (QueueName queue : QUEUES) {
      fill(engine.queue(queue), QUEUES.indexOf(queue) + "-" + round);
    }
  }

  /** Batches with jobs in all states, and jobs that come after them. */
  private void fillBatches(int round) {
    EnqueueOptions plain = EnqueueOptions.DEFAULT.headers(HEADERS);
    JobQueue parts = engine.queue(DamagedBatches.PARTS);
    BatchId open = batch("open-" + round).open(engine);
    add(parts, "part-of-open-" + round, plain.batch(open), Fate.SERVED);
    add(parts, "part-of-open-large-" + round, plain.batch(open).delay(DELAY), Fate.SERVED);
    EnqueueOptions next = plain.priority(NEXT);
    work(parts, "awaits-" + round, next, Fate.SERVED, lease -> lease.waitFor(open).orThrow());

    BatchId died = batch("died-" + round).open(engine);
    EnqueueOptions ofDied = next.batch(died);
    work(parts, "well-" + round, ofDied, Fate.GONE, lease -> lease.complete().orThrow());
    Consumer<Lease> fail = lease -> lease.fail(ERROR, FailOptions.PERMANENT).orThrow();
    work(parts, "died-part-" + round, ofDied, Fate.DEAD, fail);
    engine.batches().seal(died);

    BatchId outer = batch("outer-" + round).open(engine);
    BatchId inner = batch("inner-" + round).within(outer).open(engine);
    add(parts, "part-of-outer-" + round, plain.batch(outer), Fate.SERVED);
    add(parts, "part-of-inner-" + round, plain.batch(inner), Fate.SERVED);
    engine.batches().seal(inner);
    engine.batches().seal(outer);

    BatchId kept = batch("kept-" + round).keepResults().open(engine);
    Consumer<Lease> complete = lease -> lease.complete(RESULT).orThrow();
    work(parts, "result-" + round, next.batch(kept), Fate.GONE, complete);
    add(parts, "part-of-kept-" + round, plain.batch(kept), Fate.SERVED);
    engine.batches().seal(kept);
    noteFollowers(round);
  }

  private static Batch batch(String name) {
    Batch batch =
        Batch.of(name)
            .whenDone(DamagedBatches.AFTER, follower(name, Batch.After.DONE))
            .whenAllSucceeded(DamagedBatches.AFTER, follower(name, Batch.After.ALL_SUCCEEDED));
    return DamagedBatches.hasDead(name)
        ? batch.whenAnyDied(DamagedBatches.AFTER, follower(name, Batch.After.ANY_DIED))
        : batch;
  }

  private static NewJob follower(String batch, Batch.After after) {
    byte[] payload = Labels.payload(batch + DamagedBatches.AFTER_MARK + after);
    return new NewJob(payload, EnqueueOptions.DEFAULT.headers(HEADERS));
  }

  /** Their ids are known from reading alone. */
  private void noteFollowers(int round) {
    Page.stream(page -> engine.list(JobFilter.ALL.queue(DamagedBatches.AFTER), page))
        .forEach(
            job -> {
              String name = Labels.name(job.payload());
              boolean waits =
                  DamagedBatches.hasDead(name) && name.endsWith(Batch.After.ALL_SUCCEEDED.name());
              if (name.contains("-" + round + DamagedBatches.AFTER_MARK)) {
                jobs.add(new Entry(name, job.id(), waits ? Fate.WAITS : Fate.SERVED));
              }
            });
  }

  private void lease(QueueName name) {
    EnqueueOptions options =
        EnqueueOptions.DEFAULT.headers(HEADERS).priority(NEXT).leaseDuration(Duration.ofDays(7));
    String number = "leased-" + QUEUES.indexOf(name);
    for (int i = 0; i < 3; i++) {
      work(engine.queue(name), number + "-" + i, options, Fate.SERVED, lease -> {});
    }
  }

  private void fill(JobQueue queue, String number) {
    EnqueueOptions plain = EnqueueOptions.DEFAULT.headers(HEADERS).priority(-5);
    EnqueueOptions next = plain.priority(NEXT);
    work(queue, "completed-" + number, next, Fate.GONE, lease -> lease.complete().orThrow());
    work(queue, "completed-large-" + number, next, Fate.GONE, lease -> lease.complete().orThrow());
    EnqueueOptions kept = next.resultRetention(KEPT);
    work(queue, "done-" + number, kept, Fate.DONE, lease -> lease.complete(RESULT).orThrow());
    work(queue, "done-large-" + number, kept, Fate.DONE, lease -> lease.complete(RESULT).orThrow());
    EnqueueOptions once = next.maxAttempts(1);
    work(queue, "dead-" + number, once, Fate.DEAD, lease -> lease.fail(ERROR).orThrow());
    Consumer<Lease> fail = lease -> lease.fail(ERROR, FailOptions.PERMANENT).orThrow();
    work(queue, "dead-large-" + number, next, Fate.DEAD, fail);
    EnqueueOptions again = next.backoff(Backoff.fixed(DELAY));
    work(queue, "retried-" + number, again, Fate.SERVED, lease -> lease.fail(ERROR).orThrow());
    work(queue, "snoozed-" + number, next, Fate.SERVED, lease -> lease.snooze(DELAY).orThrow());
    add(queue, "delayed-" + number, plain.delay(DELAY), Fate.SERVED);
    add(queue, "delayed-large-" + number, plain.delay(DELAY), Fate.SERVED);
    add(queue, "low-" + number, plain.priority(-7).timeToLive(KEPT), Fate.SERVED);
    add(queue, "ready-large-" + number, plain, Fate.SERVED);
    for (int i = 0; i < 4; i++) {
      note(queue, NOTED + number + "-" + i, plain);
    }
    signals(queue, number, next);
    engine.cancelIfWaiting(add(queue, "cancelled-" + number, plain, Fate.GONE)).orThrow();
  }

  /** In one transaction with a note of it. */
  private void note(JobQueue queue, String name, EnqueueOptions options) {
    Table<String, byte[]> notes = engine.table(NOTES, Codec.TEXT, Codec.BYTES);
    byte[] payload = Labels.payload(name);
    JobId id =
        engine
            .transact(
                tx -> {
                  tx.put(notes, name, payload);
                  return tx.enqueue(queue.name(), payload, options);
                })
            .orThrow();
    jobs.add(new Entry(name, id, Fate.SERVED));
  }

  private void signals(JobQueue queue, String number, EnqueueOptions next) {
    work(
        queue,
        "waiting-" + number,
        next,
        Fate.SERVED,
        lease -> lease.waitFor(SIGNAL, DELAY).orThrow());
    String woken = WOKEN + number;
    work(queue, woken, next, Fate.SERVED, lease -> lease.waitFor(SIGNAL).orThrow());
    JobId id = jobs.get(jobs.size() - 1).id();
    // Else it would be served before those to come.
    engine.update(id, UpdateOptions.NOTHING.priority(-5)).orThrow();
    engine.signal(id, SIGNAL, Labels.payload(woken)).orThrow();
    String early = EARLY + number;
    JobId ofEarly = add(queue, early, next.priority(-5), Fate.SERVED);
    engine.signal(ofEarly, SIGNAL, Labels.payload(early)).orThrow();
  }

  private JobId add(JobQueue queue, String name, EnqueueOptions options, Fate fate) {
    JobId id = queue.enqueue(Labels.payload(name), options).jobId();
    jobs.add(new Entry(name, id, fate));
    return id;
  }

  /** Enqueues a job, claims it, and does with the lease what is to be done. */
  private void work(
      JobQueue queue, String name, EnqueueOptions options, Fate fate, Consumer<Lease> end) {
    JobId id = add(queue, name, options, fate);
    Lease lease = queue.claim(ClaimOptions.by("filler")).get(0);
    if (!lease.jobId().equals(id)) {
      throw new IllegalStateException("another job is served: " + Labels.name(lease.payload()));
    }
    end.accept(lease);
  }
}
