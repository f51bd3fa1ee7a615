package io.millrace.model.crash;

import io.millrace.model.crash.Journal.Event;
import io.millrace.model.crash.Journal.Line;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a journal of several lives and finds what must not be: jobs lost, doubled, served after
 * they were finished, held by two, damaged, or served out of order.
 */
final class JournalCheck {

  private final List<String> violations = new ArrayList<>();
  private final Map<String, Job> jobs = new LinkedHashMap<>();
  private final Set<Long> tokens = new HashSet<>();

  /** What is known of one job. */
  private static final class Job {
    boolean isAcknowledged;
    boolean isCompleted;
    boolean isDead;
    boolean mayBeFinished;
    boolean wasLeased;
    boolean wasPassedOver;
    boolean isHeld;
    int drainedCount;
  }

  /**
   * Violations found in the journal, and in what was left in the store at the end: attempts of jobs
   * served, dead letters.
   */
  static List<String> violations(
      List<Line> lines, List<Map.Entry<String, Integer>> served, List<String> dead) {
    JournalCheck check = new JournalCheck();
    lines.forEach(check::read);
    check.end(served, dead);
    return check.violations;
  }

  static long count(List<Line> lines, Event event) {
    return lines.stream().filter(line -> line.event() == event).count();
  }

  private void read(Line line) {
    if (line.event() == Event.BEGIN) {
      jobs.values().forEach(job -> job.isHeld = false);
      return;
    }
    Job job = jobs.computeIfAbsent(line.job(), name -> new Job());
    switch (line.event()) {
      case ENQUEUED -> job.isAcknowledged = true;
      case LEASED -> leased(line, job);
      case COMPLETE -> end(job, true);
      case FAIL -> end(job, true);
      case RELEASE -> end(job, false);
      case COMPLETED -> job.isCompleted = true;
      case FAILED -> job.mayBeFinished = false;
      case DEAD -> job.isDead = true;
      case WRONG -> violations.add("wrong: " + line);
      default -> {}
    }
  }

  private static void end(Job job, boolean mayBeFinished) {
    job.isHeld = false;
    job.mayBeFinished = mayBeFinished;
  }

  private void leased(Line line, Job job) {
    if (line.job().equals("damaged")) {
      violations.add("damaged payload: " + line);
      return;
    }
    if (job.isCompleted || job.isDead) {
      violations.add("served after it was finished: " + line);
    }
    if (job.isHeld) {
      violations.add("held by two: " + line);
    }
    int slash = line.fact().indexOf('/');
    long token = Long.parseLong(line.fact().substring(0, slash));
    int attempt = Integer.parseInt(line.fact().substring(slash + 1));
    if (!tokens.add(token)) {
      violations.add("token given twice: " + line);
    }
    job.isHeld = true;
    job.mayBeFinished = false;
    if (!job.wasLeased) {
      job.wasLeased = true;
      firstServed(line.job(), job, attempt);
      passOver(line.job());
    }
  }

  /**
   * A job that was passed over was skipped, unless a process died before it could write that it had
   * it.
   */
  private void firstServed(String name, Job job, int attempt) {
    if (job.wasPassedOver && attempt == 1) {
      violations.add("served after later ones: " + name);
    }
  }

  /**
   * Notes the nearest earlier acknowledged job of the same queue, priority and life, if it was not
   * served yet.
   */
  private void passOver(String name) {
    String line = name.substring(0, name.lastIndexOf(':') + 1);
    int number = Integer.parseInt(name.substring(line.length()));
    for (int earlier = number - 1; earlier >= Math.max(0, number - 1_000); earlier--) {
      Job job = jobs.get(line + earlier);
      if (job != null && job.isAcknowledged) {
        job.wasPassedOver |= !job.wasLeased;
        return;
      }
    }
  }

  private void end(List<Map.Entry<String, Integer>> served, List<String> dead) {
    for (Map.Entry<String, Integer> lease : served) {
      Job job = jobs.computeIfAbsent(lease.getKey(), name -> new Job());
      job.drainedCount++;
      if (!job.wasLeased) {
        job.wasLeased = true;
        firstServed(lease.getKey(), job, lease.getValue());
      }
    }
    Set<String> deadNames = new HashSet<>(dead);
    Map<String, Integer> counts = new HashMap<>();
    dead.forEach(name -> counts.merge(name, 1, Integer::sum));
    jobs.forEach(
        (name, job) -> {
          boolean isLeft = job.drainedCount > 0 || deadNames.contains(name);
          if (job.isAcknowledged && !isLeft && !job.isCompleted && !job.mayBeFinished) {
            violations.add("lost: " + name);
          }
          if (job.isDead && !deadNames.contains(name)) {
            violations.add("dead letter lost: " + name);
          }
          if (job.isCompleted && isLeft) {
            violations.add("back after it was completed: " + name);
          }
          if (job.drainedCount + counts.getOrDefault(name, 0) > 1) {
            violations.add("doubled: " + name);
          }
        });
  }
}
