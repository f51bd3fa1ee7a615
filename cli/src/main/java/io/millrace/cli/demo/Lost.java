package io.millrace.cli.demo;

/** Leases that are lost: their jobs run again, and a second result of a file does no harm. */
final class Lost {

  private Lost() {}

  /** Takes the answer of what ended a lease, whatever it says. */
  static void isHarmless(Object answer) {
    assert answer != null;
  }
}
