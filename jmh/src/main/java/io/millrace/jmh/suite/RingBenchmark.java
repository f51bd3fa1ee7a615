package io.millrace.jmh.suite;

import io.millrace.api.ClaimOptions;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The way to the loop and back with nothing to do there: a claim on a queue that does not exist
 * changes nothing and writes nothing.
 */
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class RingBenchmark {

  private static final ClaimOptions CLAIM = ClaimOptions.by("jmh");

  @Benchmark
  @Threads(1)
  public Object callers1(NullEngineState state) {
    return state.engine.queue("none").claim(CLAIM);
  }

  @Benchmark
  @Threads(8)
  public Object callers8(NullEngineState state) {
    return state.engine.queue("none").claim(CLAIM);
  }

  @Benchmark
  @Threads(64)
  public Object callers64(NullEngineState state) {
    return state.engine.queue("none").claim(CLAIM);
  }
}
