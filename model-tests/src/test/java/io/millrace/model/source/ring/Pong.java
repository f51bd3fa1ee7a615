package io.millrace.model.source.ring;

/** Uses the other by a constant alone, which the compiler copies. */
final class Pong {

  private Pong() {}

  static int count() {
    return Ping.COUNT + Leaf.COUNT;
  }
}
