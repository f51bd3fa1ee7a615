package io.millrace.model.source.ring;

/** Uses nothing. */
final class Leaf {

  static final int COUNT = 1;

  private Leaf() {}
}
