package io.millrace.opentelemetry;

import static io.millrace.opentelemetry.TelemetryRig.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.JobEngine;
import io.millrace.worker.JobContext;
import io.millrace.worker.JobRunEnd;
import io.millrace.worker.Worker;
import io.millrace.worker.WorkerListener;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Contexts are stored with the jobs. */
@Tag("slow")
@Timeout(60)
class RestartTest {

  private static final int JOB_COUNT = 20;

  @TempDir Path folder;

  private final TelemetryRig rig = new TelemetryRig();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void runs_afterTheEngineWasOpenedAnew_haveLinksToWhereTheirJobsWereEnqueued() throws Exception {
    try (JobEngine before = JobEngine.open("lmdb:" + folder)) {
      for (int i = 0; i < JOB_COUNT; i++) {
        rig.telemetry.queues(before).enqueue(MAIL, "Ada");
      }
    }
    CountDownLatch left = new CountDownLatch(JOB_COUNT);

    try (JobEngine after = JobEngine.open("lmdb:" + folder)) {
      Worker worker =
          rig.telemetry
              .trace(Worker.on(after))
              .handle(MAIL, (mail, job) -> {})
              .listener(
                  new WorkerListener() {
                    @Override
                    public void ended(JobContext job, JobRunEnd end) {
                      left.countDown();
                    }
                  })
              .start();
      assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
      worker.close();
    }

    List<String> enqueued = rig.named("enqueue mail").stream().map(SpanData::getSpanId).toList();
    assertThat(rig.named("process mail").stream().map(TelemetryRig::links))
        .containsExactlyInAnyOrderElementsOf(enqueued.stream().map(List::of).toList());
  }
}
