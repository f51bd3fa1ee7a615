package io.millrace.jmh.suite;

import io.millrace.api.CompleteResult;
import io.millrace.api.JobListening;
import io.millrace.api.Lease;
import java.time.Duration;
import java.util.ArrayList;
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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time from a submit's call until its end is told. A parked claim takes the job and completes
 * it, and both commits are included.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class AwaitBenchmark {

  /** A claim that waits, whose job is completed at once. */
  @State(Scope.Thread)
  public static class Worker {

    private CompletableFuture<CompleteResult> completed = new CompletableFuture<>();

    @Setup(Level.Invocation)
    public void park(EngineState state) {
      completed =
          state
              .queue
              .claimAsync(state.claimOptions().waiting(Duration.ofMinutes(1)))
              .thenCompose(leases -> leases.get(0).completeAsync());
      // The ring is served in order: once this one is answered, the claim before it is parked.
      state.engine.queue("none").claim("jmh", Duration.ofSeconds(1)).ifPresent(Lease::close);
    }

    @TearDown(Level.Invocation)
    public void end() {
      completed.join().orThrow();
    }
  }

  /** Listeners to all events. */
  @State(Scope.Benchmark)
  public static class Listeners {

    @Param({"0", "1"})
    public int listeners;

    private final List<JobListening> listening = new ArrayList<>();

    @Setup(Level.Trial)
    public void listen(EngineState state) {
      for (int i = 0; i < listeners; i++) {
        listening.add(state.engine.listen(event -> {}));
      }
    }

    @TearDown(Level.Trial)
    public void close() {
      listening.forEach(JobListening::close);
    }
  }

  @Benchmark
  public Object submitToEnd(EngineState state, Listeners listeners, Worker worker) {
    return state.queue.submit(state.payload).end().join();
  }
}
