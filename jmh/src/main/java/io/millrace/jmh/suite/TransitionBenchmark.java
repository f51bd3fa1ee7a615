package io.millrace.jmh.suite;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.NewJob;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
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
 * What the engine itself costs for a job: enqueue, claim and complete on a store that costs
 * nothing, in calls so large that the way to the loop and back does not count.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class TransitionBenchmark {

  private static final int JOB_COUNT = 1_000;

  /** An engine on a {@link NullStore}. */
  @State(Scope.Benchmark)
  @NullUnmarked // JMH sets the fields, in Setup.
  public static class Nothing {

    @Param({"256"})
    public int payloadBytes;

    private JobEngine engine;
    private JobQueue queue;
    private List<NewJob> jobs;

    @Setup(Level.Trial)
    public void open() {
      engine =
          JobEngine.open(
              NullStore.FACTORY, StoreOptions.of(Path.of("nothing")), EngineOptions.DEFAULT);
      queue = engine.queue("load");
      jobs = Collections.nCopies(JOB_COUNT, NewJob.of(new byte[payloadBytes]));
    }

    @TearDown(Level.Trial)
    public void close() {
      engine.close();
    }
  }

  @Benchmark
  @OperationsPerInvocation(JOB_COUNT)
  public Object cycle(Nothing state) {
    state.queue.enqueueAll(state.jobs);
    return state.engine.completeAll(state.queue.claim(ClaimOptions.by("jmh").max(JOB_COUNT)));
  }
}
