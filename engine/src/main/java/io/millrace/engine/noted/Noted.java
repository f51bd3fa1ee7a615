package io.millrace.engine.noted;

/** Queues whose health shows what others could not do. */
public interface Noted {

  /** Where that is told. */
  Troubles troubles();
}
