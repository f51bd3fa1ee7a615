package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.engine.JobEngine;
import io.millrace.worker.JobContext;
import io.millrace.worker.JobRunEnd;
import io.millrace.worker.Next;
import io.millrace.worker.Worker;
import io.millrace.worker.WorkerListener;
import io.millrace.worker.WorkerSetup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Jobs that a worker runs, and a file that tells what was seen of them: which were enqueued, each
 * run as it begins, and each end that the worker told of, in the order in which they were written.
 */
final class Handled {

  private static final int ROW_COUNT_MAX = 1_000;
  private static final int LINKS = 3;
  private static final int ATTEMPTS_MAX = 1_000;

  /** Does something outside the store. */
  private static final JobType<String> PLAIN = type("plain");

  /** Adds one to its row as it completes. */
  private static final JobType<String> COUNTED = type("counted");

  /** Goes on in another job, some times, and in the end adds one to its row. */
  private static final JobType<String> LINKED = type("linked");

  private final JobEngine engine;
  private final Path file;
  private final FileChannel told;
  private final Table<String, Long> rows;

  private static JobType<String> type(String name) {
    return JobType.of(name, Codec.TEXT).queue("work").defaults(o -> o.maxAttempts(ATTEMPTS_MAX));
  }

  Handled(JobEngine engine, Path folder) throws IOException {
    this.engine = engine;
    this.file = folder.resolve("handled");
    this.told = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    this.rows = engine.table("counts", Codec.TEXT, Codec.LONG);
  }

  /** Enqueues the next of the jobs that have this name and a number. */
  void enqueue(String name, int number) {
    String job = name + "." + number;
    switch (number % 3) {
      case 0 -> engine.enqueue(PLAIN, job, o -> o.weight(1 + number % 2));
      case 1 -> engine.enqueue(COUNTED, job, o -> o.priority(number % 5));
      default -> engine.enqueue(LINKED, job + " " + LINKS);
    }
    tell("enqueued " + number % 3 + " " + job);
  }

  /**
   * A worker for the jobs.
   *
   * @param slow how long some of them take
   */
  WorkerSetup worker(Duration slow) {
    return Worker.on(engine)
        .handle(PLAIN, (text, job) -> run(text, job, slow))
        .handle(
            COUNTED,
            (text, job) -> {
              run(text, job, slow);
              job.completeWith(
                  tx -> {
                    tx.put(rows, text, tx.get(rows, text).orElse(0L) + 1);
                    return 1;
                  });
            })
        .steps(LINKED, (text, job) -> link(text, job, slow), h -> h.concurrency(5))
        .concurrency(8)
        .listener(
            new WorkerListener() {
              @Override
              public void ended(JobContext job, JobRunEnd end) {
                tell("ended " + job.jobId() + " " + end.outcome());
              }
            });
  }

  private Next link(String text, JobContext job, Duration slow) throws InterruptedException {
    run(text, job, slow);
    String[] parts = text.split(" ");
    int left = Integer.parseInt(parts[1]);
    if (left > 0) {
      return Next.then(LINKED, parts[0] + " " + (left - 1));
    }
    return Next.doneWith(tx -> tx.put(rows, parts[0], tx.get(rows, parts[0]).orElse(0L) + 1));
  }

  private void run(String text, JobContext job, Duration slow) throws InterruptedException {
    tell("run " + job.jobId() + " " + job.token() + " " + job.attempt() + " " + text);
    if (job.jobId().hashCode() % 7 == 0 && !slow.isZero()) {
      boolean isOpen = new CountDownLatch(1).await(slow.toMillis(), TimeUnit.MILLISECONDS);
      assert !isOpen;
    }
  }

  /** In one call, so that lines are whole. */
  private void tell(String line) {
    try {
      told.write(ByteBuffer.wrap((line + "\n").getBytes(UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether nothing is left to be done. */
  boolean isDone() {
    return engine.queue("work").stats().stream()
        .allMatch(stats -> stats.counts().values().stream().allMatch(count -> count == 0));
  }

  /** What was seen so far. */
  private List<String> lines() throws IOException {
    String text = Files.readString(file);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  /** How many jobs were run. */
  long runCount() throws IOException {
    return lines().stream().filter(line -> line.startsWith("run ")).count();
  }

  /** Runs that counted for more than the first attempt. */
  List<String> laterAttempts() throws IOException {
    return lines().stream()
        .filter(line -> line.startsWith("run ") && !line.split(" ")[3].equals("1"))
        .toList();
  }

  /**
   * What is wrong, at any time: runs under a token that was run before, and runs after an end that
   * was told as complete.
   */
  List<String> flaws() throws IOException {
    List<String> flaws = new ArrayList<>();
    Set<String> tokens = new HashSet<>();
    Set<String> completed = new HashSet<>();
    for (String line : lines()) {
      String[] words = line.split(" ");
      if (words[0].equals("run")) {
        if (!tokens.add(words[1] + " " + words[2])) {
          flaws.add("run twice under one token: " + line);
        }
        if (completed.contains(words[1])) {
          flaws.add("run after it was told as completed: " + line);
        }
      } else if (words[0].equals("ended") && words[2].equals("COMPLETED")) {
        completed.add(words[1]);
      }
    }
    counts()
        .forEach(
            (name, count) -> {
              if (count != 1) {
                flaws.add("counted " + count + " times: " + name);
              }
            });
    return flaws;
  }

  /** What is wrong when nothing is left to be done: besides the others, jobs that were lost. */
  List<String> flawsAtTheEnd() throws IOException {
    List<String> flaws = flaws();
    Map<String, Long> counts = counts();
    Set<String> run = new HashSet<>();
    for (String line : lines()) {
      String[] words = line.split(" ");
      if (words[0].equals("run")) {
        run.add(words[4]);
      }
    }
    for (String line : lines()) {
      String[] words = line.split(" ");
      if (words[0].equals("enqueued")) {
        boolean isThere =
            words[1].equals("0") ? run.contains(words[2]) : counts.containsKey(words[2]);
        if (!isThere) {
          flaws.add("lost: " + line);
        }
      }
    }
    if (!engine.verify().isClean()) {
      flaws.add("not sound: " + engine.verify());
    }
    return flaws;
  }

  private Map<String, Long> counts() {
    Map<String, Long> counts = new HashMap<>();
    Optional<PageRequest> request = Optional.of(PageRequest.first(ROW_COUNT_MAX));
    while (request.isPresent()) {
      Page<TableRow<String, Long>> page = rows.scan(TableRange.all(), request.get());
      page.items().forEach(row -> counts.put(row.key(), row.value()));
      request = page.next().map(cursor -> PageRequest.after(cursor, ROW_COUNT_MAX));
    }
    return counts;
  }
}
