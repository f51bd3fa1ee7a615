package io.millrace.jmh.suite;

import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Lease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The time from an enqueue's call until the parked claim has the job; its commit included. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class WakeBenchmark {

  /** A claim that waits. */
  @State(Scope.Thread)
  public static class Parked {

    private CompletableFuture<List<Lease>> claim = new CompletableFuture<>();

    @Setup(Level.Invocation)
    public void park(EngineState state) {
      claim = state.queue.claimAsync(state.claimOptions().waiting(Duration.ofMinutes(1)));
      // The ring is served in order: once this one is answered, the claim before it is parked.
      state.engine.queue("none").claim("jmh", Duration.ofSeconds(1)).ifPresent(Lease::close);
    }

    @TearDown(Level.Invocation)
    public void complete(EngineState state) {
      state.engine.completeAll(claim.join()).forEach(CompleteResult::orThrow);
    }
  }

  @Benchmark
  public Object wake(EngineState state, Parked parked) {
    CompletableFuture<?> enqueued = state.queue.enqueueAsync(state.payload, EnqueueOptions.DEFAULT);
    return List.of(parked.claim.join(), enqueued);
  }
}
