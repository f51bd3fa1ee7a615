package io.millrace.jmh.suite;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cycles of enqueue, claim and complete by 1, 8 and 64 callers; an operation is such a cycle of one
 * batch.
 */
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class CycleBenchmark {

  /** The engine or a limit, for cycles. */
  @State(Scope.Benchmark)
  public static class Cycled extends SideState {

    @Override
    Operation operation() {
      return Operation.CYCLE;
    }
  }

  @Benchmark
  @Threads(1)
  public Object callers1(Cycled side) {
    return side.operate();
  }

  @Benchmark
  @Threads(8)
  public Object callers8(Cycled side) {
    return side.operate();
  }

  @Benchmark
  @Threads(64)
  public Object callers64(Cycled side) {
    return side.operate();
  }
}
