package io.millrace.jmh.suite;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time that it takes to be told why a job at the end of a line is not running, and the time of
 * a cycle of another queue while such questions are asked without pause.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class ExplainBenchmark {

  /** A line of jobs, and the last of them. */
  @State(Scope.Benchmark)
  public static class Line {

    @Param({"0", "100", "100000"})
    public int ahead;

    private JobId last = new JobId(0, 0);

    @Setup(Level.Trial)
    public void fill(EngineState state) {
      state.fill(ahead, EnqueueOptions.DEFAULT);
      last = state.queue.enqueue(state.payload).jobId();
    }
  }

  @Benchmark
  public Object explain(EngineState state, Line line) {
    return state.engine.explain(line.last).orElseThrow();
  }

  @Benchmark
  @Group("beside")
  @GroupThreads(1)
  public Object explainBeside(EngineState state, Line line) {
    return state.engine.explain(line.last).orElseThrow();
  }

  @Benchmark
  @Group("beside")
  @GroupThreads(1)
  public Object cycleBeside(EngineState state, Line line) {
    return cycle(state);
  }

  @Benchmark
  public Object cycleAlone(EngineState state) {
    return cycle(state);
  }

  private static Object cycle(EngineState state) {
    JobQueue others = state.engine.queue("others");
    others.enqueue(state.payload);
    Lease lease = others.claim(state.claimOptions()).get(0);
    return lease.complete();
  }
}
