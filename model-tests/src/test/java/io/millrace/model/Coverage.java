package io.millrace.model;

import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** Which rows of the state table have been reached. Any thread may use it. */
public final class Coverage {

  private final Set<String> rows = new ConcurrentSkipListSet<>();

  public void reach(String state, String event) {
    rows.add(row(state, event));
  }

  public Set<String> rows() {
    return Set.copyOf(rows);
  }

  public static String row(String state, String event) {
    return state + ": " + event;
  }
}
