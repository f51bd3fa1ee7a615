package io.millrace.model.outage;

/**
 * Whether and when an answer was given, in the time of the test's clock.
 *
 * @param atMs negative if it never was
 */
record AnsweredAt(long atMs) {

  static final AnsweredAt NEVER = new AnsweredAt(-1);

  boolean isAnswered() {
    return atMs >= 0;
  }
}
