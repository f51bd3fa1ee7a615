package io.millrace.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.Codec;
import io.millrace.api.JobEnd;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.rig.Reach;
import io.millrace.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps that were told to stop, and returned: in real time, for their time is over. */
@Tag("slow")
@Timeout(60)
class StoppedStepTest {

  private static final JobType<String> ORDER = JobType.of("order", Codec.TEXT);

  private final List<String> kept = new CopyOnWriteArrayList<>();
  private final CountDownLatch never = new CountDownLatch(1);

  private String cutShortAtFirst(int attempt) {
    try {
      if (attempt == 1) {
        never.await();
      }
      return "all of it";
    } catch (InterruptedException e) {
      return "a half";
    }
  }

  @Test
  void step_toldToStopAndReturns_isNotKeptAndIsDoneAnew() throws Exception {
    assertKept(
        (item, steps) ->
            kept.add(steps.step("pay", Codec.TEXT, () -> cutShortAtFirst(steps.job().attempt()))));
  }

  @Test
  void stepInTheStore_toldToStopAndReturns_isNotKeptAndIsDoneAnew() throws Exception {
    assertKept(
        (item, steps) ->
            kept.add(steps.step("pay", Codec.TEXT, tx -> cutShortAtFirst(steps.job().attempt()))));
  }

  private void assertKept(Steps.Flow<String> flow) throws Exception {
    try (JobQueues engine = Reach.to(JobEngine.open("memory:stopped steps"), JobQueues.class);
        Worker worker =
            Worker.on(engine)
                .steps(
                    ORDER,
                    Steps.workflow(flow),
                    how ->
                        how.timeout(Duration.ofMillis(500))
                            .backoff(Backoff.fixed(Duration.ofMillis(1))))
                .start()) {
      JobEnd<byte[]> end =
          engine.await(engine.enqueue(ORDER, "boots").jobId()).get(50, TimeUnit.SECONDS);

      assertThat(end).isInstanceOf(JobEnd.Completed.class);
      assertThat(kept).doesNotContain("a half").contains("all of it");
      assertThat(worker.name()).isNotEmpty();
    }
  }
}
