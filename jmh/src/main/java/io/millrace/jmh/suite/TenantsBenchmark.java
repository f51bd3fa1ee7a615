package io.millrace.jmh.suite;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import java.util.List;
import java.util.concurrent.TimeUnit;
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

/**
 * The time from a quiet tenant's enqueue until its job is claimed, while another tenant of the name
 * has many waiting, whose jobs are claimed and released in between; commits included.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class TenantsBenchmark {

  /** A tenant with many jobs that wait, to which the queue of the engine's state belongs. */
  @State(Scope.Benchmark)
  public static class Busy {

    @Param({"1000", "1000000"})
    public int waiting;

    @Setup(Level.Trial)
    public void fill(EngineState state) {
      state.fill(waiting, EnqueueOptions.DEFAULT);
    }
  }

  @Benchmark
  public int quietTenant(EngineState state, Busy busy) {
    JobQueue quiet = state.engine.queue("load", "quiet");
    ClaimOptions claim = state.claimOptions();
    quiet.enqueue(state.payload);
    int others = 0;
    while (true) {
      List<Lease> leases = state.engine.claimAcrossTenants("load", claim);
      Lease lease = leases.get(0);
      if (lease.queue().tenant().equals("quiet")) {
        lease.complete().orThrow();
        return others;
      }
      lease.release().orThrow();
      others++;
    }
  }
}
