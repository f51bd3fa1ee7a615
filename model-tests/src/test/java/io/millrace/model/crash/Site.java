package io.millrace.model.crash;

import io.millrace.MillraceException;
import io.millrace.api.Durability;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOptions;
import io.millrace.api.EngineOptions.Management;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobState;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.VerifyReport;
import io.millrace.engine.JobEngine;
import io.millrace.model.crash.Journal.Event;
import io.millrace.model.crash.Journal.Line;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * One store that a process works on: its engine, its journal, and the threads that enqueue, work
 * and tend its jobs.
 */
final class Site implements AutoCloseable {

  private static final int PAGE_SIZE = 1_000;
  private static final int BACKLOG_MAX = 300;
  private static final int FRAMES_MAX = 8;

  /**
   * What a process is to do.
   *
   * @param location the store's
   * @param level how durable its calls are
   * @param life the process's name, unlike any before on this store
   */
  record Plan(String location, Level level, Path journal, String life) {

    String text() {
      return location + "\t" + level + "\t" + journal + "\t" + life;
    }

    static Plan parse(String text) {
      String[] parts = text.split("\t");
      return new Plan(parts[0], Level.valueOf(parts[1]), Path.of(parts[2]), parts[3]);
    }
  }

  /** How durable the calls of a process are. */
  enum Level {
    SYNCED,
    BUFFERED,
    /** Each call as it falls. */
    MIXED;

    Durability next(Random random) {
      return switch (this) {
        case SYNCED -> Durability.SYNCED;
        case BUFFERED -> Durability.BUFFERED;
        case MIXED -> random.nextBoolean() ? Durability.SYNCED : Durability.BUFFERED;
      };
    }
  }

  private final Plan plan;
  private final Journal journal;
  private final JobEngine engine;
  private final Tending tending;
  private final AtomicInteger backlog = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch completed;
  private volatile boolean isQuiet;
  private volatile boolean isStopping;

  private Site(Plan plan, Journal journal, int completedLeast) {
    this.plan = plan;
    this.journal = journal;
    this.completed = new CountDownLatch(completedLeast);
    this.engine = JobEngine.open(plan.location(), options(plan.level()));
    this.tending = new Tending(this);
  }

  private static EngineOptions options(Level level) {
    Durability usual = level == Level.BUFFERED ? Durability.BUFFERED : Durability.SYNCED;
    return EngineOptions.DEFAULT.durability(usual).management(Management.OFF);
  }

  /** Opens the store and writes down all that is in it. */
  static Site open(Plan plan, int completedLeast) throws IOException {
    Journal journal = Journal.create(plan.journal());
    journal.add(Event.BEGIN, plan.life());
    Site site = new Site(plan, journal, completedLeast);
    site.observe();
    return site;
  }

  private void observe() {
    // A job that comes to its line between two pages may be on neither.
    while (jobs(JobFilter.ALL.state(JobState.DELAYED)).stream().anyMatch(job -> !isFar(job))) {
      LockSupport.parkNanos(1_000_000);
    }
    List<Line> lines = new ArrayList<>();
    jobs(JobFilter.ALL).forEach(job -> lines.add(found(job)));
    VerifyReport report = engine.verify();
    lines.add(
        Journal.line(
            Event.OBSERVED, "-", report.problemCount() + report.quarantinedCount(), report));
    journal.addAll(lines);
  }

  private List<Job> jobs(JobFilter filter) {
    Page<Job> page = engine.list(filter, PageRequest.first(PAGE_SIZE));
    List<Job> jobs = new ArrayList<>(page.items());
    while (page.next().isPresent()) {
      page = engine.list(filter, PageRequest.after(page.next().get(), PAGE_SIZE));
      jobs.addAll(page.items());
    }
    return jobs;
  }

  /** Whether the job is delayed for longer than any test takes. */
  private static boolean isFar(Job job) {
    Instant far = Instant.now().plus(Workload.FAR.dividedBy(2));
    return job.visibleAt().filter(far::isBefore).isPresent();
  }

  private Line found(Job job) {
    Payload.Named named = Payload.newest(job);
    if (job.state() == JobState.READY || job.state() == JobState.DELAYED) {
      backlog.incrementAndGet();
    }
    if (job.state() == JobState.DEAD || isFar(job)) {
      tending.take(named.job(), job.id(), named.version(), job.state() == JobState.DEAD);
    }
    return Journal.line(
        Event.FOUND, named.job(), job.id(), job.state(), job.attempts(), named.version());
  }

  /** Starts the threads: how many, and what they do, follows from the seed. */
  void work(long seed) {
    Random random = new Random(seed);
    int producers = 1 + random.nextInt(2);
    int consumers = 1 + random.nextInt(2);
    for (int i = 0; i < producers; i++) {
      start(new Producer(this, plan.life() + ".p" + i, random.nextLong()));
    }
    for (int i = 0; i < consumers; i++) {
      start(new Consumer(this, plan.life() + ".c" + i, random.nextLong()));
    }
    start(() -> tending.run(random.nextLong()));
  }

  private void start(Runnable work) {
    Thread thread = new Thread(() -> untilStopped(work));
    threads.add(thread);
    thread.start();
  }

  private void untilStopped(Runnable work) {
    try {
      work.run();
    } catch (EngineClosedException | OutcomeUnknownException e) {
      if (!isStopping) {
        wrong(e);
      }
    } catch (RuntimeException | Error e) {
      wrong(e);
    }
  }

  private void wrong(Throwable e) {
    List<StackTraceElement> trace = List.of(e.getStackTrace());
    journal.add(Event.WRONG, plan.life(), e, trace.subList(0, Math.min(trace.size(), FRAMES_MAX)));
  }

  Plan plan() {
    return plan;
  }

  JobEngine engine() {
    return engine;
  }

  Journal journal() {
    return journal;
  }

  Tending tending() {
    return tending;
  }

  /** Whether threads are to go on. */
  boolean isOn() {
    return !isQuiet;
  }

  boolean hasRoom() {
    return backlog.get() < BACKLOG_MAX;
  }

  void came(int count) {
    backlog.addAndGet(count);
  }

  void left() {
    backlog.decrementAndGet();
  }

  void noteCompleted() {
    left();
    completed.countDown();
  }

  void awaitCompleted() throws InterruptedException {
    completed.await();
  }

  /** Lets all threads end after what they are at: nothing is under way when this returns. */
  void quiet() {
    isQuiet = true;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Closes the engine under load. */
  @Override
  public void close() throws IOException {
    isStopping = true;
    try {
      engine.close();
    } catch (MillraceException e) {
      wrong(e);
    }
    quiet();
    journal.close();
  }
}
