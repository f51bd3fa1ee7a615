package io.millrace.examples;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.Codec;
import io.millrace.api.DeadFilter;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Wake;
import io.millrace.worker.Worker;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Many jobs as one, and what comes after all of them; one dies, and is brought back. */
final class Batches implements Example {

  private static final JobType<String> FOLDER = JobType.of("folder", Codec.TEXT);
  private static final JobType<String> READ = JobType.of("read", Codec.TEXT);
  private static final JobType<String> PUBLISH = JobType.of("publish", Codec.TEXT);
  private static final JobType<String> ALERT = JobType.of("alert", Codec.TEXT);

  @Override
  public void run(JobQueues queues, Consumer<String> log) throws Exception {
    CountDownLatch alerted = new CountDownLatch(1);
    CountDownLatch published = new CountDownLatch(1);
    FlakyDisk disk = new FlakyDisk();
    Worker worker =
        Worker.on(queues)
            // region batch-join
            .handle(
                FOLDER,
                (folder, job) -> {
                  BatchId batch = job.batch().orElseThrow();
                  for (String file : disk.list(folder)) {
                    queues.enqueue(READ, file, options -> options.batch(batch).maxAttempts(1));
                  }
                })
            // endregion
            .handle(READ, (file, job) -> disk.read(file))
            // region batch-after
            .handle(
                ALERT,
                (what, job) -> {
                  BatchId batch = ((Wake.AfterBatch) job.wake()).id();
                  BatchStats stats = queues.batches().get(batch).orElseThrow();
                  log.accept(what + ": " + stats.dead() + " of " + stats.total() + " died");
                  alerted.countDown();
                })
            // endregion
            .handle(
                PUBLISH,
                (month, job) -> {
                  log.accept(month + " is published");
                  published.countDown();
                })
            .start();
    // region batch-start
    BatchId id =
        Batch.of("import 2026-11")
            .add(FOLDER, "north")
            .add(FOLDER, "south")
            .whenAllSucceeded(PUBLISH, "2026-11")
            .whenAnyDied(ALERT, "import 2026-11")
            .start(queues);
    // endregion
    alerted.await();
    disk.repair();
    queues.queue("read").deadLetters().redriveAll(DeadFilter.ALL);
    published.await();
    BatchStats stats = queues.batches().await(id).get();
    log.accept(stats.name() + ": " + stats.succeeded() + " of " + stats.total());
    worker.close();
  }

  /** A disk on which one file cannot be read before it is repaired. */
  private static final class FlakyDisk {

    private volatile boolean isRepaired;

    List<String> list(String folder) {
      return List.of(folder + "/1.csv", folder + "/2.csv");
    }

    void read(String file) throws IOException {
      if (file.equals("south/2.csv") && !isRepaired) {
        throw new IOException("cannot be read: " + file);
      }
    }

    void repair() {
      isRepaired = true;
    }
  }
}
