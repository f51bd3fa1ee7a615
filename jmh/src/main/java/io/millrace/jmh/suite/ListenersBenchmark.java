package io.millrace.jmh.suite;

import io.millrace.api.CompleteResult;
import io.millrace.api.JobEvent;
import io.millrace.api.JobListener;
import io.millrace.api.NewJob;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Cycles in batches by 8 callers while all events are listened to; an operation is a job. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Threads(8)
@Fork(1)
public class ListenersBenchmark {

  private static final int JOB_COUNT = 100;

  /** The listeners that the engine has. */
  @State(Scope.Benchmark)
  @NullUnmarked // JMH sets the field.
  public static class Listeners {

    private static final int MANY = 10;
    private static final long SLOW_NS = 1_000_000;

    /** Number and kind of the listeners. */
    public enum Kind {
      NONE,
      ONE,
      TEN,
      /** A listener that takes a millisecond for each event, and so misses most of them. */
      SLOW
    }

    @Param public Kind listeners;

    @Setup(Level.Trial)
    public void listen(EngineState state) {
      int count =
          switch (listeners) {
            case NONE -> 0;
            case ONE, SLOW -> 1;
            case TEN -> MANY;
          };
      for (int i = 0; i < count; i++) {
        state.engine.listen(new Counting(listeners == Kind.SLOW ? SLOW_NS : 0));
      }
    }
  }

  /** A listener that counts, for as long for each event as it was told. */
  private static final class Counting implements JobListener {

    private final long busyNs;
    private long count;

    Counting(long busyNs) {
      this.busyNs = busyNs;
    }

    @Override
    public void happened(JobEvent event) {
      count += event.attempt();
      if (busyNs > 0) {
        LockSupport.parkNanos(busyNs);
      }
    }

    @Override
    public void missed(long events) {
      count += events;
    }
  }

  @Benchmark
  @OperationsPerInvocation(JOB_COUNT)
  public List<CompleteResult> cycle(EngineState state, Listeners listeners) {
    return state.cycle(Collections.nCopies(JOB_COUNT, NewJob.of(state.payload)));
  }
}
