package io.millrace.jmh.suite;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.CountersRecord.ReadyRow;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.Incarnation;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
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

/** The cost of turning keys and records into bytes and back. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class CodecBenchmark {

  private static final long NOW_MS = 1_800_000_000_000L;

  /** Parts of keys, in fields, so that nothing is computed before it is measured. */
  @State(Scope.Benchmark)
  public static class Keys {

    int queue = 7;
    int priority = 0;
    long sequence = 1L << 43;
    long visibleAtMs = NOW_MS;
    byte[] ready = ReadyKeys.key(queue, priority, sequence);
    byte[] delayed = DelayedKeys.key(queue, visibleAtMs, sequence);
    byte[] lease = LeaseKeys.key(queue, sequence);
    byte[] counters = CounterKeys.key(queue);
  }

  /** A job that is ready. */
  @State(Scope.Benchmark)
  public static class Job {

    /** The lengths of payloads that a record holds itself; anything larger lies beside it. */
    @Param({"64", "256", "1000"})
    public int payloadBytes = 64;

    JobRecord record = JobRecord.builder().build();
    byte[] encoded = {};

    @Setup(Level.Trial)
    public void prepare(Keys keys) {
      byte[] payload = new byte[payloadBytes];
      new Random(1).nextBytes(payload);
      record =
          JobRecord.builder()
              .birth(keys.sequence)
              .birthKind(Keyspace.READY)
              .enqueuedAtMs(NOW_MS)
              .readyAtMs(NOW_MS)
              .payload(new Payload.Inline(payload, Map.of()))
              .build();
      encoded = record.encode(keys.ready);
    }
  }

  /** The lease of a job in its first attempt, and the counters of a queue with two priorities. */
  @State(Scope.Benchmark)
  public static class Others {

    LeaseRecord lease = lease(0);
    CountersRecord counters = CountersRecord.empty();
    byte[] encodedLease = {};
    byte[] encodedCounters = {};

    @Setup(Level.Trial)
    public void prepare(Keys keys) {
      lease = lease(keys.sequence);
      encodedLease = lease.encode(keys.lease);
      counters = counters(keys.sequence);
      encodedCounters = counters.encode(keys.counters);
    }

    private static LeaseRecord lease(long sequence) {
      return new LeaseRecord(
          1L << 40,
          "worker-1",
          new Incarnation(4_711, NOW_MS),
          30_000,
          NOW_MS,
          1,
          0,
          sequence,
          false);
    }

    private static CountersRecord counters(long sequence) {
      CountersRecord empty = CountersRecord.empty();
      long[] states = empty.states().clone();
      states[JobState.READY.ordinal()] = 10_000;
      states[JobState.LEASED.ordinal()] = 64;
      long[] totals = empty.totals().clone();
      totals[QueueStats.Total.ENQUEUED.ordinal()] = 50_010_064;
      totals[QueueStats.Total.CLAIMED.ordinal()] = 50_000_064;
      totals[QueueStats.Total.COMPLETED.ordinal()] = 50_000_000;
      ReadyRow[] ready = {
        new ReadyRow(10, 1_000, sequence + 10_000), new ReadyRow(0, 9_000, sequence)
      };
      return new CountersRecord(
          states, totals, ready, CountersRecord.NONE, CountersRecord.NONE, 0, 0);
    }
  }

  @Benchmark
  public byte[] encodeReadyKey(Keys keys) {
    return ReadyKeys.key(keys.queue, keys.priority, keys.sequence);
  }

  @Benchmark
  public long decodeReadyKey(Keys keys) {
    return ReadyKeys.queue(keys.ready)
        ^ ReadyKeys.priority(keys.ready)
        ^ ReadyKeys.sequence(keys.ready);
  }

  @Benchmark
  public byte[] encodeDelayedKey(Keys keys) {
    return DelayedKeys.key(keys.queue, keys.visibleAtMs, keys.sequence);
  }

  @Benchmark
  public long decodeDelayedKey(Keys keys) {
    return DelayedKeys.queue(keys.delayed)
        ^ DelayedKeys.visibleAtMs(keys.delayed)
        ^ DelayedKeys.birth(keys.delayed);
  }

  @Benchmark
  public byte[] encodeLeaseKey(Keys keys) {
    return LeaseKeys.key(keys.queue, keys.sequence);
  }

  @Benchmark
  public long decodeLeaseKey(Keys keys) {
    return LeaseKeys.queue(keys.lease) ^ LeaseKeys.birth(keys.lease);
  }

  @Benchmark
  public byte[] encodeJob(Keys keys, Job job) {
    return job.record.encode(keys.ready);
  }

  @Benchmark
  public JobRecord decodeJob(Keys keys, Job job) {
    return JobRecord.decode(keys.ready, job.encoded);
  }

  @Benchmark
  public byte[] encodeLease(Keys keys, Others others) {
    return others.lease.encode(keys.lease);
  }

  @Benchmark
  public LeaseRecord decodeLease(Keys keys, Others others) {
    return LeaseRecord.decode(keys.lease, others.encodedLease);
  }

  @Benchmark
  public byte[] encodeCounters(Keys keys, Others others) {
    return others.counters.encode(keys.counters);
  }

  @Benchmark
  public CountersRecord decodeCounters(Keys keys, Others others) {
    return CountersRecord.decode(keys.counters, others.encodedCounters);
  }
}
