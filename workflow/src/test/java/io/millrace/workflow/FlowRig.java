package io.millrace.workflow;

import io.millrace.api.Codec;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import io.millrace.worker.JobSteps;
import io.millrace.worker.Worker;
import io.millrace.worker.WorkerDriver;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** An engine whose clock the test moves, and a worker that runs a job when the test says so. */
final class FlowRig implements AutoCloseable {

  static final JobType<String> ORDER =
      JobType.of("order", Codec.TEXT)
          .defaults(options -> options.maxAttempts(5).resultRetention(Duration.ofDays(365)));

  private final AtomicLong passedNs = new AtomicLong();
  private final AtomicReference<JobSteps<String>> flow = new AtomicReference<>();
  private final AtomicReference<BooleanSupplier> next = new AtomicReference<>(() -> false);
  private final JobEngine engine =
      JobEngine.open("memory:flow", EngineOptions.DEFAULT.clock(new ClockAhead(passedNs)));
  private final Worker worker =
      Worker.on(driven())
          .steps(
              ORDER,
              (payload, job) -> flow.get().handle(payload, job),
              options -> options.releaseOn(HandBackException.class))
          .start();

  /** Has the job handed back for a second, which is a snooze. */
  static final class HandBackException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** The machine's clock, and so much more. */
  private record ClockAhead(AtomicLong passedNs) implements EngineClock {

    private static final long PARK_NS_MAX = 1_000_000;

    @Override
    public long epochMs() {
      return System.currentTimeMillis() + TimeUnit.NANOSECONDS.toMillis(passedNs.get());
    }

    @Override
    public long monotonicNs() {
      return System.nanoTime() + passedNs.get();
    }

    @Override
    public void parkNs(long durationNs) {
      LockSupport.parkNanos(this, Math.min(durationNs, PARK_NS_MAX));
    }
  }

  /** The engine's queues, whose worker claims nothing by itself. */
  private JobQueues driven() {
    WorkerDriver driver =
        new WorkerDriver() {
          @Override
          public void drive(BooleanSupplier jobs) {
            next.set(jobs);
          }

          @Override
          public void release(BooleanSupplier jobs) {
            next.set(() -> false);
          }
        };
    return (JobQueues)
        Proxy.newProxyInstance(
            FlowRig.class.getClassLoader(),
            new Class<?>[] {JobQueues.class, WorkerDriver.class},
            (proxy, method, arguments) -> {
              boolean isDriver = method.getDeclaringClass() == WorkerDriver.class;
              try {
                return method.invoke(isDriver ? driver : engine, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  JobEngine engine() {
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
    int count = 0;
    while (next.get().getAsBoolean()) {
      count++;
    }
    return count;
  }

  void pass(Duration time) {
    passedNs.addAndGet(time.toNanos());
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
