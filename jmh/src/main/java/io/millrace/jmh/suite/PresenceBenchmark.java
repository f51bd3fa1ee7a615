package io.millrace.jmh.suite;

import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
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
 * The cost of a claim by what else is in the store. An operation is a claim of one batch;
 * completing it and enqueueing as many of the same priorities, so that the crowd stays what it was,
 * are not timed.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class PresenceBenchmark {

  private static final Duration FAR_OFF = Duration.ofDays(1);

  /** Kind of crowd in the store. */
  public enum Presence {
    BACKLOG,
    FIVE_PRIORITIES,
    DELAYED,
    QUEUES
  }

  /** The crowd in the store. */
  @State(Scope.Benchmark)
  public static class Crowd {

    private static final int PRIORITY_COUNT = 5;

    /** The kind of crowd and its size, of those that may make claims slow. */
    @Param({
      "BACKLOG:0",
      "BACKLOG:10000",
      "BACKLOG:1000000",
      "FIVE_PRIORITIES:10000",
      "DELAYED:1000000",
      "QUEUES:100000"
    })
    public String crowd = "BACKLOG:0";

    @Param({"1", "100"})
    public int batch = 1;

    /**
     * Puts the crowd into the store, and one batch for the claims, without which there may be none
     * ready.
     */
    @Setup(Level.Trial)
    public void fill(EngineState state) {
      int colon = crowd.indexOf(':');
      int count = Integer.parseInt(crowd.substring(colon + 1));
      switch (Presence.valueOf(crowd.substring(0, colon))) {
        case BACKLOG -> state.fill(count, EnqueueOptions.DEFAULT);
        case DELAYED -> state.fill(count, EnqueueOptions.DEFAULT.delay(FAR_OFF));
        case QUEUES -> fillQueues(state, count);
        case FIVE_PRIORITIES -> {
          for (int i = 0; i < PRIORITY_COUNT; i++) {
            EnqueueOptions options = EnqueueOptions.DEFAULT.priority(i - PRIORITY_COUNT / 2);
            state.fill(count / PRIORITY_COUNT, options);
          }
        }
      }
      state.fill(batch, EnqueueOptions.DEFAULT);
    }

    private static void fillQueues(EngineState state, int count) {
      List<CompletableFuture<?>> underWay = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        underWay.add(
            state.engine.queue("other-" + i).enqueueAsync(state.payload, EnqueueOptions.DEFAULT));
        if (underWay.size() == 1_000) {
          underWay.forEach(CompletableFuture::join);
          underWay.clear();
        }
      }
      underWay.forEach(CompletableFuture::join);
    }
  }

  /** The leases of one call. */
  @State(Scope.Thread)
  public static class Held {

    private List<Lease> leases = List.of();

    @TearDown(Level.Invocation)
    public void replace(EngineState state) {
      state.engine.completeAll(leases).forEach(CompleteResult::orThrow);
      state.queue.enqueueAll(leases.stream().map(lease -> like(lease, state.payload)).toList());
    }

    /** Returns a job of the same priority: claims take the highest first, and would use it up. */
    private static NewJob like(Lease lease, byte[] payload) {
      return new NewJob(payload, EnqueueOptions.DEFAULT.priority(lease.priority()));
    }
  }

  @Benchmark
  public Object claim(EngineState state, Crowd crowd, Held held) {
    held.leases = state.queue.claim(state.claimOptions().max(crowd.batch));
    return held.leases;
  }
}
