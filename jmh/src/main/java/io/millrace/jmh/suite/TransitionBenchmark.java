package io.millrace.jmh.suite;

import io.millrace.api.ClaimOptions;
import io.millrace.api.NewJob;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of a job in the engine itself. Not the transitions alone: each call goes the whole way
 * through the engine, from the caller to the loop, through the rules, the records and the batch to
 * a store that costs nothing, and back. Calls are so large that handing over and waking hardly
 * count for one job.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class TransitionBenchmark {

  private static final int JOB_COUNT = 1_000;

  /** The jobs of one call. */
  @State(Scope.Benchmark)
  public static class Jobs {

    @Param({"256"})
    public int payloadBytes = 256;

    private List<NewJob> jobs = List.of();

    @Setup(Level.Trial)
    public void prepare() {
      jobs = Collections.nCopies(JOB_COUNT, NewJob.of(new byte[payloadBytes]));
    }

    private Object enqueue(NullEngineState state) {
      return state.queue.enqueueAll(jobs);
    }
  }

  /** The step that completes enqueued jobs, which is not timed. */
  @State(Scope.Thread)
  public static class Completed {

    @TearDown(Level.Invocation)
    public void complete(NullEngineState state) {
      claimAndComplete(state);
    }
  }

  /** The step that enqueues the jobs to be claimed, which is not timed. */
  @State(Scope.Thread)
  public static class Ready {

    @Setup(Level.Invocation)
    public void enqueue(NullEngineState state, Jobs jobs) {
      jobs.enqueue(state);
    }
  }

  @Benchmark
  @OperationsPerInvocation(JOB_COUNT)
  public Object enqueue(NullEngineState state, Jobs jobs, Completed completed) {
    return jobs.enqueue(state);
  }

  @Benchmark
  @OperationsPerInvocation(JOB_COUNT)
  public Object claimAndComplete(NullEngineState state, Ready ready) {
    return claimAndComplete(state);
  }

  private static Object claimAndComplete(NullEngineState state) {
    return state.engine.completeAll(state.queue.claim(ClaimOptions.by("jmh").max(JOB_COUNT)));
  }
}
