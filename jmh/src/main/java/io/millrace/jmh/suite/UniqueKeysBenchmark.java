package io.millrace.jmh.suite;

import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.NewJob;
import io.millrace.api.UniqueKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Jobs with unique keys of each kind, in batches by 8 callers; an operation is a job. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Threads(8)
@Fork(1)
public class UniqueKeysBenchmark {

  private static final int JOB_COUNT = 100;
  private static final Duration WINDOW = Duration.ofSeconds(1);

  /** The kind of the keys, each of which one job has. */
  @State(Scope.Benchmark)
  @NullUnmarked // JMH sets the field.
  public static class Own {

    /** Kind of key. */
    public enum Kind {
      NONE(options -> options),
      UNTIL_FINISHED(options -> options.unique(next())),
      UNTIL_STARTED(options -> options.unique(next().untilStarted())),
      WITHIN_A_SECOND(options -> options.unique(next().within(WINDOW)));

      private static final AtomicLong COUNT = new AtomicLong();

      private final UnaryOperator<EnqueueOptions> with;

      Kind(UnaryOperator<EnqueueOptions> with) {
        this.with = with;
      }

      private static UniqueKey next() {
        return UniqueKey.of("key-" + COUNT.incrementAndGet());
      }
    }

    @Param public Kind kind;
  }

  /** The treatment of jobs whose keys are held by others. */
  @State(Scope.Benchmark)
  @NullUnmarked // JMH sets the field.
  public static class Held {

    @Param public UniqueKey.OnConflict onConflict;
  }

  /** The keys of a thread, which its first call takes. */
  @State(Scope.Thread)
  public static class Taken {

    private static final AtomicLong COUNT = new AtomicLong();

    private final long thread = COUNT.incrementAndGet();
  }

  @Benchmark
  @OperationsPerInvocation(JOB_COUNT)
  public List<CompleteResult> cycle(EngineState state, Own own) {
    List<NewJob> jobs = new ArrayList<>(JOB_COUNT);
    for (int i = 0; i < JOB_COUNT; i++) {
      jobs.add(new NewJob(state.payload, own.kind.with.apply(EnqueueOptions.DEFAULT)));
    }
    return state.cycle(jobs);
  }

  @Benchmark
  @OperationsPerInvocation(JOB_COUNT)
  public Object enqueueOfHeldKeys(EngineState state, Held held, Taken taken) {
    List<NewJob> jobs = new ArrayList<>(JOB_COUNT);
    for (int i = 0; i < JOB_COUNT; i++) {
      UniqueKey key = UniqueKey.of(taken.thread + "-" + i);
      boolean isReplacing = held.onConflict == UniqueKey.OnConflict.REPLACE;
      jobs.add(
          new NewJob(
              state.payload, EnqueueOptions.DEFAULT.unique(isReplacing ? key.replace() : key)));
    }
    return state.queue.enqueueAll(jobs);
  }
}
