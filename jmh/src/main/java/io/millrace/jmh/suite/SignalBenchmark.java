package io.millrace.jmh.suite;

import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.api.SignalResult;
import io.millrace.api.WaitResult;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time of a job that waits for a signal in between, beside that of one that is snoozed for no
 * time instead: five commits each.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class SignalBenchmark {

  private static Lease claim(EngineState state) {
    return state.queue.claim(state.claimOptions()).get(0);
  }

  /** Enqueues, claims, waits, signals, claims, completes. */
  @Benchmark
  public Object waitAndSignal(EngineState state) {
    JobId id = state.queue.enqueue(state.payload).jobId();
    WaitResult waits = claim(state).waitFor("go").orThrow();
    SignalResult woken = state.engine.signal(id, "go").orThrow();
    return waits.name().length() + woken.name().length() + claim(state).complete().hashCode();
  }

  /** Enqueues, signals, claims, waits, claims, completes. */
  @Benchmark
  public Object signalAndWait(EngineState state) {
    JobId id = state.queue.enqueue(state.payload).jobId();
    SignalResult kept = state.engine.signal(id, "go").orThrow();
    WaitResult waits = claim(state).waitFor("go").orThrow();
    return waits.name().length() + kept.name().length() + claim(state).complete().hashCode();
  }

  /** Enqueues, claims, snoozes, claims, completes. */
  @Benchmark
  public Object snooze(EngineState state) {
    state.queue.enqueue(state.payload);
    claim(state).snooze(Duration.ZERO).orThrow();
    return claim(state).complete();
  }
}
