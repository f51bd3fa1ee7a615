package io.millrace.model;

import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** Which rows of the state table have been reached. Any thread may use it. */
final class Coverage {

  private final Set<String> rows = new ConcurrentSkipListSet<>();

  void reach(String state, String event) {
    rows.add(row(state, event));
  }

  Set<String> rows() {
    return Set.copyOf(rows);
  }

  static String row(String state, String event) {
    return state + ": " + event;
  }
}
