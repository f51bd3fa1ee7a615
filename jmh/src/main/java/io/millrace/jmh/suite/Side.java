package io.millrace.jmh.suite;

/** A side that callers drive: the engine, or a limit beside it. */
interface Side extends AutoCloseable {

  /** Does the operation of {@link SideState#operation} with one batch. Any thread. */
  Object operate();

  /** Drops everything that was written. Nobody operates meanwhile. */
  void empty();

  @Override
  void close();
}
