package io.millrace.examples;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.SignalResult;
import io.millrace.api.Table;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Worker;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks that the snippets of docs/workers.md do what the page says. */
@Timeout(60)
class WorkersGuideTest {

  private final JobEngine engine = JobEngine.open("memory:workers-guide");
  private final BlockingQueue<String> done = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void worker_jobsOfTwoTypes_areRun() throws Exception {
    Worker worker = WorkersGuide.worker(engine, done::add);

    engine.enqueue(WorkersGuide.MAIL, "Ada");

    assertThat(done.poll(20, SECONDS)).isEqualTo("Ada");
    assertThat(engine.submit(WorkersGuide.COUNT, "four").end().get(20, SECONDS))
        .isEqualTo(new JobEnd.Completed<>(4L));
    WorkersGuide.control(worker, done::add);
    assertThat(worker.isPaused()).isFalse();
    assertThat(worker.concurrency()).isEqualTo(32);
    worker.close();
  }

  @Test
  void steps_signalComes_nextJobIsEnqueued() throws Exception {
    Worker worker = WorkersGuide.steps(engine, done::add);
    JobId order = engine.enqueue(WorkersGuide.ORDER, "17").jobId();

    assertThat(engine.signal(order, "paid")).isInstanceOf(SignalResult.class);

    assertThat(done.poll(20, SECONDS)).isEqualTo("invoice for 17");
    worker.close();
  }

  @Test
  void effects_twoSales_areCountedAndEachHasItsResult() throws Exception {
    Table<String, Long> sold = engine.table("sold", Codec.TEXT, Codec.LONG);
    Worker worker = WorkersGuide.effects(engine, sold);

    for (long count = 1; count <= 2; count++) {
      assertThat(engine.submit(WorkersGuide.SALE, "tea").end().get(20, SECONDS))
          .isEqualTo(new JobEnd.Completed<>(count));
    }

    assertThat(sold.get("tea")).contains(2L);
    worker.close();
  }

  @Test
  void around_job_isNamedAndCounted() throws Exception {
    Worker worker = WorkersGuide.around(engine, done::add);

    engine.enqueue(WorkersGuide.MAIL, "Ada");

    assertThat(done.poll(20, SECONDS)).isEqualTo("Ada");
    assertThat(done.poll(20, SECONDS)).isEqualTo("{mail COMPLETED=1}");
    worker.close();
  }

  @Test
  void virtual_executorOfTheUser_runsTheHandlers() throws Exception {
    ExecutorService executor = Executors.newCachedThreadPool();
    Worker worker = WorkersGuide.virtual(engine, done::add, executor);

    engine.enqueue(WorkersGuide.MAIL, "Ada");

    assertThat(done.poll(20, SECONDS)).isEqualTo("Ada");
    worker.close();
    executor.shutdown();
  }
}
