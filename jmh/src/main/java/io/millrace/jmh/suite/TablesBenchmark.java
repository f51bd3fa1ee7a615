package io.millrace.jmh.suite;

import io.millrace.api.Codec;
import io.millrace.api.PageRequest;
import io.millrace.api.RowResult;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of users' tables: a row put, replaced on a condition, read, and a page of a hundred. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@Threads(8)
public class TablesBenchmark {

  private static final int CALL_ROW_COUNT = 1_000;
  private static final int PAGE_SIZE = 100;

  /** A table that is filled. */
  @State(Scope.Benchmark)
  public static class Filled {

    @Param({"1000", "1000000"})
    public int rows;

    private final AtomicLong next = new AtomicLong();

    @Setup(Level.Trial)
    public void fill(EngineState state) {
      Table<Long, byte[]> table = table(state);
      for (long number = 0; number < rows; number += CALL_ROW_COUNT) {
        List<TableRow<Long, byte[]>> call = new ArrayList<>();
        for (long i = number; i < number + CALL_ROW_COUNT; i++) {
          call.add(new TableRow<>(i, state.payload));
        }
        table.putAll(call);
      }
    }

    private static Table<Long, byte[]> table(EngineState state) {
      return state.engine.table("load", Codec.LONG, Codec.BYTES);
    }

    /** Returns the key of the next row, which is far from the one before. */
    private long key() {
      return Math.floorMod(next.getAndIncrement() * 7_919, rows);
    }
  }

  @Benchmark
  public void put(EngineState state, Filled filled) {
    Filled.table(state).put(filled.key(), state.payload);
  }

  @Benchmark
  public RowResult<byte[]> replace(EngineState state, Filled filled) {
    return Filled.table(state).replace(filled.key(), state.payload, state.payload);
  }

  @Benchmark
  public Object get(EngineState state, Filled filled) {
    return Filled.table(state).get(filled.key());
  }

  @Benchmark
  public Object scan(EngineState state, Filled filled) {
    return Filled.table(state).scan(TableRange.from(filled.key()), PageRequest.first(PAGE_SIZE));
  }
}
