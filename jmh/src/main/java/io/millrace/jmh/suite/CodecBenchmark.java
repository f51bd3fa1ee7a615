package io.millrace.jmh.suite;

import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.ReadyKeys;
import java.util.Map;
import java.util.Random;
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

/** Keys and records to bytes and back. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@State(Scope.Benchmark)
public class CodecBenchmark {

  private static final int QUEUE = 7;
  private static final long SEQUENCE = 1L << 43;

  /** What a record holds itself; anything larger lies beside it. */
  @Param({"64", "256", "1000"})
  public int payloadBytes = 64;

  private byte[] key = ReadyKeys.key(QUEUE, 0, SEQUENCE);
  private JobRecord job = job(new byte[0]);
  private byte[] encoded = {};

  @Setup(Level.Trial)
  public void prepare() {
    byte[] payload = new byte[payloadBytes];
    new Random(1).nextBytes(payload);
    job = job(payload);
    encoded = job.encode(key);
  }

  private static JobRecord job(byte[] payload) {
    return JobRecord.builder()
        .birth(SEQUENCE)
        .birthKind(Keyspace.READY)
        .enqueuedAtMs(1_800_000_000_000L)
        .readyAtMs(1_800_000_000_000L)
        .payload(new Payload.Inline(payload, Map.of()))
        .build();
  }

  @Benchmark
  public byte[] encodeKey() {
    return ReadyKeys.key(QUEUE, 0, SEQUENCE);
  }

  @Benchmark
  public byte[] encodeJob() {
    return job.encode(key);
  }

  @Benchmark
  public JobRecord decodeJob() {
    return JobRecord.decode(key, encoded);
  }
}
