package io.millrace.jmh.suite;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
 * has many waiting, whose jobs are claimed and released in between; commits included. All of it may
 * be among many tenants that have no job.
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

    private static final int JOB_COUNT_MAX = 1_000;

    @Param({"1000", "1000000"})
    public int waiting;

    /** The number of tenants that had a job, which was completed. */
    @Param({"0", "100000"})
    public int idle;

    @Setup(Level.Trial)
    public void fill(EngineState state) {
      for (int i = 0; i < idle; i += JOB_COUNT_MAX) {
        pass(state, i, Math.min(idle, i + JOB_COUNT_MAX));
      }
      state.fill(waiting, EnqueueOptions.DEFAULT);
    }

    private static void pass(EngineState state, int from, int to) {
      CompletableFuture.allOf(
              IntStream.range(from, to)
                  .mapToObj(i -> state.engine.queue("load", "idle-" + i))
                  .map(tenant -> tenant.enqueueAsync(state.payload, EnqueueOptions.DEFAULT))
                  .toArray(CompletableFuture<?>[]::new))
          .join();
      ClaimOptions claim = state.claimOptions().max(JOB_COUNT_MAX);
      for (int left = to - from; left > 0; ) {
        List<Lease> leases = state.engine.claimAcrossTenants("load", claim);
        state.engine.completeAll(leases).forEach(CompleteResult::orThrow);
        left -= leases.size();
      }
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
