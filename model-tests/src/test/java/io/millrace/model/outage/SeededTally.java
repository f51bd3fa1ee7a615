package io.millrace.model.outage;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often what happened in seeded histories. Any thread may use it. */
final class SeededTally {

  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  void count(String what) {
    count(what, 1);
  }

  void count(String what, long howOften) {
    counts.computeIfAbsent(what, key -> new LongAdder()).add(howOften);
  }

  long of(String what) {
    LongAdder count = counts.get(what);
    return count == null ? 0 : count.sum();
  }

  /** Everything that starts so, in alphabetical order. */
  Map<String, Long> startingWith(String prefix) {
    Map<String, Long> found = new TreeMap<>();
    counts.forEach(
        (what, count) -> {
          if (what.startsWith(prefix)) {
            found.put(what.substring(prefix.length()), count.sum());
          }
        });
    return found;
  }
}
