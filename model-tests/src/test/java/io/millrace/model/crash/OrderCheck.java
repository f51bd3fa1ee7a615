package io.millrace.model.crash;

import io.millrace.model.crash.Look.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether the jobs of a queue were served by priority and then in the order of their coming.
 *
 * <p>Several consumers work at once, so that the order of the lines in the journal is not that of
 * serving. A job is skipped if another was served although the first was in line during the whole
 * claim of the other, and had surely come before it or has the higher priority.
 */
final class OrderCheck {

  /** A job in its line, from when on and until when that is certain. */
  static final class Stay {
    private final String job;
    private final Span came;
    private final long presentSince;
    private long presentUntil = Long.MAX_VALUE;

    private Stay(String job, Span came, long presentSince) {
      this.job = job;
      this.came = came;
      this.presentSince = presentSince;
    }

    /** It may be gone from here on. */
    void endAt(long line) {
      presentUntil = Math.min(presentUntil, line);
    }
  }

  private record Serve(String job, Span came, long asked, long told) {}

  private final Map<String, List<Stay>> stays = new HashMap<>();
  private final Map<String, List<Serve>> serves = new HashMap<>();
  private final Findings findings;

  OrderCheck(Findings findings) {
    this.findings = findings;
  }

  /** A job that came to its line at that time is surely there from this line on. */
  Stay stay(String job, Span came, long presentSince) {
    Stay stay = new Stay(job, came, presentSince);
    stays.computeIfAbsent(Workload.queueOf(job), queue -> new ArrayList<>()).add(stay);
    return stay;
  }

  /** A job that had come to its line at that time was served by a claim. */
  void serve(String job, Span came, Span claim) {
    serves
        .computeIfAbsent(Workload.queueOf(job), queue -> new ArrayList<>())
        .add(new Serve(job, came, claim.after(), claim.before()));
  }

  /** No job of the queue is surely in line from here on. */
  void endAll(String queue, long line) {
    stays.getOrDefault(queue, List.of()).forEach(stay -> stay.endAt(line));
  }

  /** Judges all that was served, and begins anew. */
  void judge() {
    serves.forEach((queue, list) -> judge(list, stays.getOrDefault(queue, List.of())));
    stays.clear();
    serves.clear();
  }

  private void judge(List<Serve> served, List<Stay> stayed) {
    List<Stay> coming = new ArrayList<>(stayed);
    coming.sort(Comparator.comparingLong(stay -> stay.presentSince));
    List<Serve> inOrder = new ArrayList<>(served);
    inOrder.sort(Comparator.comparingLong(Serve::told));
    List<Stay> present = new ArrayList<>();
    int next = 0;
    for (Serve serve : inOrder) {
      while (next < coming.size() && coming.get(next).presentSince < serve.told()) {
        present.add(coming.get(next++));
      }
      present.removeIf(stay -> stay.presentUntil <= serve.told());
      for (Stay stay : present) {
        if (isSkipped(stay, serve)) {
          findings.add(
              Finding.ORDER_SKIPPED,
              stay.job + " waited while " + serve.job() + " was served, line " + serve.told());
          break;
        }
      }
    }
  }

  private static boolean isSkipped(Stay stay, Serve serve) {
    int higher = Workload.priorityOf(stay.job) - Workload.priorityOf(serve.job());
    boolean isAhead = higher > 0 || (higher == 0 && stay.came.before() < serve.came().after());
    // A claim that waited took the other one at the earliest when that came.
    long earliest = Math.max(serve.asked(), serve.came().after());
    return isAhead && stay.presentSince < earliest && serve.told() < stay.presentUntil;
  }
}
