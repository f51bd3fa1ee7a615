package io.millrace.workflow;

import io.millrace.api.Codec;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.spi.testkit.rig.Reach;
import io.millrace.test.TestEngine;
import io.millrace.worker.JobSteps;
import io.millrace.worker.Worker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** An engine in virtual time, and a worker of one workflow. */
final class FlowRig implements AutoCloseable {

  static final JobType<String> ORDER =
      JobType.of("order", Codec.TEXT)
          .defaults(options -> options.maxAttempts(5).resultRetention(Duration.ofDays(365)));

  private final AtomicReference<JobSteps<String>> flow = new AtomicReference<>();
  private final TestEngine engine = Reach.to(TestEngine.create(), TestEngine.class);
  private final Worker worker =
      Worker.on(engine)
          .steps(
              ORDER,
              (payload, job) -> flow.get().handle(payload, job),
              options -> options.releaseOn(HandBackException.class))
          .start();

  /** Has the job handed back for a second, which is a snooze. */
  static final class HandBackException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  JobQueues engine() {
    return engine;
  }

  void flow(Steps.Flow<String> value) {
    flow.set(Steps.workflow(value));
  }

  void handler(JobSteps<String> value) {
    flow.set(value);
  }

  JobId order() {
    return engine.enqueue(ORDER, "boots").jobId();
  }

  /** Runs what is ready until nothing is; answers how many runs there were. */
  int run() {
    return engine.run();
  }

  /** Lets time pass in which nothing runs. */
  void pass(Duration time) {
    worker.pause();
    engine.advance(time);
    worker.resume();
  }

  Job job(JobId id) {
    return engine.get(id).orElseThrow();
  }

  JobState state(JobId id) {
    return job(id).state();
  }

  String error(JobId id) {
    return job(id).lastError().orElseThrow();
  }

  @Override
  public void close() {
    worker.close();
    engine.close();
  }
}
