package io.millrace.cli.demo;

import io.millrace.api.Backoff;
import io.millrace.api.Codec;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.Table;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A walk over the folder that enqueues a job for each file without a sum of its present state. Each
 * run of the demo makes one. A file has at most one job at a time, since that job has the file's
 * key.
 *
 * <p>Follows no symbolic links, so that it cannot run in circles. A file whose job is dead waits
 * until somebody redrives the job. For one thread.
 */
final class Scan extends SimpleFileVisitor<Path> {

  /** A job's payload is the name of its file, its priority and its weight come from the size. */
  static final JobType<String> FILE = JobType.of("demo-files", Codec.TEXT).defaults(Scan::patient);

  /** A header of jobs whose first attempt is to fail. */
  static final String FAILING = "simulate-failure";

  /** The weight of files so large that they are not read beside many others. */
  static final int WEIGHT_MAX = 64;

  private static final int BATCH_COUNT = 500;
  private static final long BYTES_PER_WEIGHT = 64 << 10;

  private final SourceFolder source;
  private final DemoOptions options;
  private final JobQueues queues;
  private final Runnable afterBatch;
  private final Table<String, String> sums;
  private final Set<String> deadNames;
  private final List<HashedFile> found = new ArrayList<>();
  private long jobCount;
  private long linkCount;
  private long specialCount;

  /**
   * Creates a scan that has not begun.
   *
   * @param afterBatch runs now and then while the scan goes on
   */
  Scan(SourceFolder source, DemoOptions options, JobQueues queues, Runnable afterBatch) {
    this.source = source;
    this.options = options;
    this.queues = queues;
    this.afterBatch = afterBatch;
    this.sums = HashedFile.table(queues);
    this.deadNames = deadNames(queues);
  }

  /** Returns the files whose jobs are dead. */
  static Set<String> deadNames(JobQueues queues) {
    DeadLetters dead = queues.queue(FILE.queueName()).deadLetters();
    return Page.stream(page -> dead.list(DeadFilter.ALL, page))
        .map(job -> job.payload(FILE))
        .collect(Collectors.toSet());
  }

  /**
   * Allows many attempts: each kill counts as an attempt of the jobs that were running, and the
   * demo is there to be killed.
   */
  private static EnqueueOptions patient(EnqueueOptions given) {
    return given
        .maxAttempts(Limits.MAX_ATTEMPTS_MAX)
        .backoff(Backoff.fixed(Duration.ofMillis(500)));
  }

  void run() throws IOException {
    Files.walkFileTree(source.path(), this);
    enqueueFound();
  }

  long linkCount() {
    return linkCount;
  }

  /** Returns the number of devices, pipes and sockets that were passed over. */
  long specialCount() {
    return specialCount;
  }

  @Override
  public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
      throws IOException {
    boolean isOwn = Files.exists(options.dir()) && Files.isSameFile(folder, options.dir());
    return isOwn ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    if (attributes.isSymbolicLink()) {
      linkCount++;
    } else if (!attributes.isRegularFile()) {
      specialCount++;
    } else {
      long modifiedNs = attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS);
      add(new HashedFile(source.nameOf(file), attributes.size(), modifiedNs, ""));
    }
    return FileVisitResult.CONTINUE;
  }

  /** Makes a job also of a file that cannot be looked at, so that it is not passed over. */
  @Override
  public FileVisitResult visitFileFailed(Path file, IOException thrown) {
    if (!(thrown instanceof NoSuchFileException)) {
      add(new HashedFile(source.nameOf(file), 0, 0, ""));
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException thrown) {
    return thrown == null ? FileVisitResult.CONTINUE : visitFileFailed(folder, thrown);
  }

  private void add(HashedFile file) {
    found.add(file);
    if (found.size() == BATCH_COUNT) {
      enqueueFound();
    }
  }

  private void enqueueFound() {
    List<Optional<String>> rows =
        sums.getAll(found.stream().map(file -> HashedFile.key(file.name())).toList());
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      HashedFile file = found.get(i);
      boolean isDone = rows.get(i).map(HashedFile::parse).filter(file::isOfSameState).isPresent();
      if (!isDone && !deadNames.contains(file.name())) {
        jobs.add(FILE.newJob(file.name(), given -> options(file, given)));
      }
    }
    found.clear();
    queues.queue(FILE.queueName()).enqueueAll(jobs);
    afterBatch.run();
  }

  private EnqueueOptions options(HashedFile file, EnqueueOptions given) {
    EnqueueOptions job =
        given
            .unique(HashedFile.key(file.name()))
            .priority(priority(file.sizeBytes()))
            .weight((int) Math.min(WEIGHT_MAX, 1 + file.sizeBytes() / BYTES_PER_WEIGHT));
    jobCount++;
    boolean isToFail = options.failEvery() > 0 && jobCount % options.failEvery() == 0;
    return isToFail ? job.header(FAILING, "first attempt") : job;
  }

  /** Returns the priority of a file: small ones first, so that most results come soon. */
  private static int priority(long sizeBytes) {
    if (sizeBytes <= 64 << 10) {
      return 30;
    }
    if (sizeBytes <= 1 << 20) {
      return 20;
    }
    return sizeBytes <= 16 << 20 ? 10 : 0;
  }
}
