package io.millrace.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManySmallQueuesTest {

  private static final int QUEUE_COUNT = 60;
  private static final int JOBS_EACH = 15;
  private static final int WORKER_COUNT = 4;
  private static final long SECONDS_MAX = 60;

  private final Set<QueueName> inWork = ConcurrentHashMap.newKeySet();
  private final Queue<String> collisions = new ConcurrentLinkedQueue<>();
  private final Map<String, Integer> done = new ConcurrentHashMap<>();

  @TempDir private Path folder;

  @Test
  void round_ofFourWorkers_worksAtEachQueueAloneAndDoesEachJobOnce() throws Exception {
    try (JobEngine engine = JobEngine.open("lmdb:" + folder.resolve("jobs"))) {
      for (int queue = 0; queue < QUEUE_COUNT; queue++) {
        for (int job = 0; job < JOBS_EACH; job++) {
          engine.queue("q" + queue).enqueue(("job " + queue + "." + job).getBytes(UTF_8));
        }
      }

      List<CompletableFuture<Void>> workers = new ArrayList<>();
      for (int i = 0; i < WORKER_COUNT; i++) {
        String worker = "worker-" + i;
        workers.add(CompletableFuture.runAsync(() -> workUntilDone(engine, worker)));
      }
      for (CompletableFuture<Void> worker : workers) {
        worker.get(SECONDS_MAX, TimeUnit.SECONDS);
      }

      assertThat(collisions).isEmpty();
      assertThat(done).hasSize(QUEUE_COUNT * JOBS_EACH);
      assertThat(done.values()).containsOnly(1);
      assertThat(engine.admin().queueLeases()).isEmpty();
    }
  }

  private void workUntilDone(JobEngine engine, String worker) {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    while (done.size() < QUEUE_COUNT * JOBS_EACH && System.nanoTime() - endNs < 0) {
      ManySmallQueues.round(engine, worker, this::work);
    }
  }

  private void work(QueueName queue, String text) {
    if (!inWork.add(queue)) {
      collisions.add(queue + ": " + text);
    }
    done.merge(text, 1, Integer::sum);
    inWork.remove(queue);
  }

  @Test
  void round_nothingVisibleYet_answersWhenTheFirstJobWillBe() {
    try (JobEngine engine = JobEngine.open("memory:small")) {
      Instant before = Instant.now();
      engine.queue("q").enqueue("now".getBytes(UTF_8));
      engine
          .queue("q")
          .enqueue("soon".getBytes(UTF_8), EnqueueOptions.DEFAULT.delay(Duration.ofMillis(1)));

      Instant next = ManySmallQueues.round(engine, "w", this::work);

      assertThat(done).containsKey("now");
      assertThat(next).isBetween(before, Instant.now().plusSeconds(1));
    }
  }
}
