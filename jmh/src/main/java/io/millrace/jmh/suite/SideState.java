package io.millrace.jmh.suite;

import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/** The engine, or one of the two limits beside it, under the same callers. */
@State(Scope.Benchmark)
@NullUnmarked // JMH sets the fields, or Setup does.
public abstract class SideState extends LoadState {

  /** Kind of side that is driven. */
  public enum Kind {
    ENGINE,
    /** A plain append-only log. */
    FLOOR,
    /** A bare store. */
    RAW
  }

  /** Operation that a caller does again and again. */
  enum Operation {
    ENQUEUE,
    /** An enqueue, a claim and a complete. */
    CYCLE
  }

  @Param({"ENGINE", "FLOOR", "RAW"})
  public Kind side;

  @Param({"1", "100"})
  public int batch;

  private Side driven;

  abstract Operation operation();

  @Setup(Level.Trial)
  public void open(BenchmarkParams parameters) {
    begin();
    driven =
        switch (side) {
          case ENGINE -> new EngineSide(this, factory());
          case FLOOR -> new FloorSide(this);
          case RAW -> new RawSide(this, BatchShape.measure(this, parameters));
        };
  }

  /**
   * Drops what was written after each iteration: payloads of all sizes are to find room on the
   * disk.
   */
  @TearDown(Level.Iteration)
  public void empty() {
    driven.empty();
  }

  @TearDown(Level.Trial)
  public void close() {
    driven.close();
    end();
  }

  final Object operate() {
    return driven.operate();
  }
}
