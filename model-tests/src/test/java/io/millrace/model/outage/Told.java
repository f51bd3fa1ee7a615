package io.millrace.model.outage;

/**
 * Whether and when an answer was given, in the time of the test's clock.
 *
 * @param atMs negative if it never was
 */
record Told(long atMs) {

  static final Told NEVER = new Told(-1);

  boolean isTold() {
    return atMs >= 0;
  }
}
