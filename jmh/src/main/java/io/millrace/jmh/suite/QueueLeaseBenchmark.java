package io.millrace.jmh.suite;

import io.millrace.api.CompleteResult;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueLease;
import java.time.Duration;
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
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A cycle of one caller who has leased the whole queue, and of one who has not. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class QueueLeaseBenchmark {

  /** The jobs of a cycle. */
  @State(Scope.Benchmark)
  public static class Jobs {

    @Param({"1", "100"})
    public int jobs;

    private List<NewJob> of(EngineState state) {
      return Collections.nCopies(jobs, NewJob.of(state.payload));
    }
  }

  /** The lease on the queue. */
  @State(Scope.Benchmark)
  @NullUnmarked // JMH calls Setup.
  public static class Leased {

    private static final Duration LASTING = Duration.ofMinutes(30);

    private QueueLease lease;

    @Setup(Level.Trial)
    public void lease(EngineState state) {
      lease = state.engine.leaseQueue(state.queue.name(), "jmh", LASTING).orThrow();
    }
  }

  @Benchmark
  public List<CompleteResult> byLeaseOnTheQueue(EngineState state, Jobs jobs, Leased leased) {
    state.queue.enqueueAll(jobs.of(state));
    List<Lease> leases = leased.lease.claim(state.claimOptions().max(jobs.jobs)).orThrow();
    return state.engine.completeAll(leases);
  }

  @Benchmark
  public List<CompleteResult> byQueue(EngineState state, Jobs jobs) {
    return state.cycle(jobs.of(state));
  }
}
