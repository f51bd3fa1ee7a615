package io.millrace.jmh.suite;

import io.millrace.api.Codec;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.Table;
import io.millrace.api.TableRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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

/**
 * Transactions in which jobs are completed, a row is put for each, and their next jobs are
 * enqueued: in one transaction, in one that reads each row before, one by one or together, and in
 * three calls of many, which may come apart. An operation is all of that for a batch of jobs; the
 * claim before it is not counted.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class TransactionBenchmark {

  /** Jobs that are worked on, and go on from one to the next. */
  @State(Scope.Thread)
  public static class Chain {

    private static final int ROW_COUNT = 10_000;

    @Param({"1", "100"})
    public int jobs;

    private List<Lease> leases = List.of();
    private List<NewJob> next = List.of();
    private byte[] value = {};
    private long rowNumber;

    @Setup(Level.Trial)
    public void fill(EngineState state) {
      value = state.payload;
      next = Collections.nCopies(jobs, NewJob.of(state.payload));
      state.queue.enqueueAll(next);
    }

    @Setup(Level.Invocation)
    public void claim(EngineState state) {
      leases = state.queue.claim(state.claimOptions().max(jobs));
      if (leases.size() != jobs) {
        throw new IllegalStateException("claimed " + leases.size() + " of " + jobs);
      }
    }

    private Table<Long, byte[]> table(EngineState state) {
      return state.engine.table("effects", Codec.LONG, Codec.BYTES);
    }

    private long nextRow() {
      return rowNumber++ % ROW_COUNT;
    }
  }

  @Benchmark
  public Object transaction(EngineState state, Chain chain) {
    Table<Long, byte[]> table = chain.table(state);
    return state
        .engine
        .inTransaction(
            tx -> {
              for (Lease lease : chain.leases) {
                tx.complete(lease);
                tx.put(table, chain.nextRow(), chain.value);
                tx.enqueue(state.queue.name(), chain.value);
              }
            })
        .orThrow();
  }

  @Benchmark
  public Object guardedTransaction(EngineState state, Chain chain) {
    Table<Long, byte[]> table = chain.table(state);
    return state
        .engine
        .inTransaction(
            tx -> {
              for (Lease lease : chain.leases) {
                long row = chain.nextRow();
                tx.get(table, row);
                tx.complete(lease);
                tx.put(table, row, chain.value);
                tx.enqueue(state.queue.name(), chain.value);
              }
            })
        .orThrow();
  }

  @Benchmark
  public Object guardedTogether(EngineState state, Chain chain) {
    Table<Long, byte[]> table = chain.table(state);
    List<Long> rows = chain.leases.stream().map(lease -> chain.nextRow()).toList();
    return state
        .engine
        .inTransaction(
            tx -> {
              tx.getAll(table, rows);
              for (int i = 0; i < rows.size(); i++) {
                tx.complete(chain.leases.get(i));
                tx.put(table, rows.get(i), chain.value);
                tx.enqueue(state.queue.name(), chain.value);
              }
            })
        .orThrow();
  }

  @Benchmark
  public Object batches(EngineState state, Chain chain) {
    List<TableRow<Long, byte[]>> rows = new ArrayList<>(chain.jobs);
    for (int i = 0; i < chain.jobs; i++) {
      rows.add(new TableRow<>(chain.nextRow(), chain.value));
    }
    chain.table(state).putAll(rows);
    state.queue.enqueueAll(chain.next);
    return state.engine.completeAll(chain.leases);
  }
}
