package io.millrace.worker;

/**
 * Writes to a log where no failure may stand in the way of what comes next: a logger may throw, and
 * so may an object that it is to describe, such as an exception of the user's.
 */
final class Telling {

  private Telling() {}

  static void tell(Runnable log) {
    try {
      log.run();
    } catch (Throwable e) {
      // There is nobody who could be told.
    }
  }
}
