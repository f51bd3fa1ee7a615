package io.millrace.model.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The moment up to which everything in a store happened, and after which nothing did: the line of
 * the journal that the last commit may be placed behind.
 *
 * <p>Each job says which moments it would agree to; a store holds a prefix of what was done to it
 * if there is a moment to which all agree.
 */
final class LastMoment {

  /** From the last thing asked for that happened until before the first answer that is lost. */
  record Range(long startInclusive, long endExclusive) {
    boolean isEmpty() {
      return startInclusive >= endExclusive;
    }

    Range since(long start) {
      return new Range(Math.max(startInclusive, start), endExclusive);
    }

    boolean contains(long moment) {
      return startInclusive <= moment && moment < endExclusive;
    }

    boolean meets(Range other) {
      return startInclusive < other.endExclusive && other.startInclusive < endExclusive;
    }
  }

  private final TreeMap<Long, Integer> changes = new TreeMap<>();

  /** Adds a job that agrees to any moment of these ranges. */
  void add(List<Range> ranges) {
    for (Range range : joined(ranges)) {
      changes.merge(range.startInclusive(), 1, Integer::sum);
      changes.merge(range.endExclusive(), -1, Integer::sum);
    }
  }

  private static List<Range> joined(List<Range> ranges) {
    List<Range> sorted = new ArrayList<>(ranges);
    sorted.sort((a, b) -> Long.compare(a.startInclusive(), b.startInclusive()));
    List<Range> joined = new ArrayList<>();
    for (Range range : sorted) {
      Range last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
      if (last != null && range.startInclusive() <= last.endExclusive()) {
        long end = Math.max(last.endExclusive(), range.endExclusive());
        joined.set(joined.size() - 1, new Range(last.startInclusive(), end));
      } else {
        joined.add(range);
      }
    }
    return joined;
  }

  /**
   * The moments to which most agree, in their order: all of the jobs, if there is such a moment.
   */
  List<Range> likely() {
    List<Range> likely = new ArrayList<>();
    int most = 0;
    int count = 0;
    for (Map.Entry<Long, Integer> change : changes.entrySet()) {
      count += change.getValue();
      Long next = changes.higherKey(change.getKey());
      if (next != null && count >= most) {
        if (count > most) {
          likely.clear();
        }
        most = count;
        likely.add(new Range(change.getKey(), next));
      }
    }
    return likely;
  }
}
