package io.millrace.jmh.suite;

import io.millrace.api.Codec;
import io.millrace.api.Table;
import io.millrace.api.Transaction;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
 * Transactions that count a row up, of many threads at a time: all of them the same row, which they
 * read or add to, and each thread a row of its own.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Threads(64)
@Fork(1)
public class HotRowBenchmark {

  /** The row of a thread. */
  @State(Scope.Thread)
  public static class Own {

    private static final AtomicLong COUNT = new AtomicLong();

    private final long row = COUNT.incrementAndGet();
  }

  private static Table<Long, Long> counts(EngineState state) {
    return state.engine.table("counts", Codec.LONG, Codec.LONG);
  }

  private static void countUp(Transaction tx, Table<Long, Long> counts, long row) {
    tx.put(counts, row, tx.get(counts, row).orElse(0L) + 1);
  }

  @Benchmark
  public Object oneRow(EngineState state) {
    Table<Long, Long> counts = counts(state);
    return state.engine.inTransaction(tx -> countUp(tx, counts, 0)).orThrow();
  }

  @Benchmark
  public Object oneRowAdded(EngineState state) {
    Table<Long, Long> counts = counts(state);
    return state.engine.transact(tx -> tx.add(counts, 0L, 1)).orThrow();
  }

  @Benchmark
  public Object ownRows(EngineState state, Own own) {
    Table<Long, Long> counts = counts(state);
    return state.engine.inTransaction(tx -> countUp(tx, counts, own.row)).orThrow();
  }
}
