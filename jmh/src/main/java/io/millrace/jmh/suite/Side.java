package io.millrace.jmh.suite;

/** What callers drive. */
interface Side extends AutoCloseable {

  /** Does what {@link SideState#operation} says with one batch; any thread. */
  Object operate();

  /** Drops all that was written; nobody operates meanwhile. */
  void empty();

  @Override
  void close();
}
