package io.millrace.model.source.ring;

/** Uses the other by a nested class. */
final class Ping {

  static final int COUNT = 1 + Leaf.COUNT;

  private Ping() {}

  static final class Nested {

    static int twice() {
      return 2 * Pong.count();
    }

    private Nested() {}
  }
}
