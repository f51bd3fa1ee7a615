package io.millrace.console.act;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** An action on many jobs, which goes on after its request was answered. Any thread may look. */
public final class Task {

  /** The stages of a task. */
  public enum Stage {
    COUNTING,
    CHANGING,
    DONE,
    STOPPED,
    FAILED
  }

  private final int id;
  private final String action;
  private final String filter;
  private final Instant since;

  private Stage stage = Stage.COUNTING;
  private long found;
  private long changed;
  private final Map<String, Long> outcomes = new TreeMap<>();
  private String failure = "";
  private boolean isToStop;

  Task(int id, String action, String filter, Instant since) {
    this.id = id;
    this.action = action;
    this.filter = filter;
    this.since = since;
  }

  /**
   * The state of a task.
   *
   * @param filter the jobs that are meant, as a query
   * @param found the jobs that met the filter, as far as they are counted
   * @param changed the jobs that have been acted on
   * @param outcomes how many jobs had which result
   * @param failure the reason why the task ended before all jobs were changed; empty if it did not
   */
  public record Status(
      int id,
      String action,
      String filter,
      Instant since,
      Stage stage,
      long found,
      long changed,
      Map<String, Long> outcomes,
      String failure) {}

  public synchronized Status status() {
    return new Status(
        id, action, filter, since, stage, found, changed, Map.copyOf(outcomes), failure);
  }

  public int id() {
    return id;
  }

  synchronized void stop() {
    isToStop = true;
  }

  synchronized boolean isToStop() {
    return isToStop;
  }

  synchronized boolean isOver() {
    return stage.compareTo(Stage.DONE) >= 0;
  }

  synchronized void found(long count) {
    found = count;
  }

  synchronized void begin() {
    stage = Stage.CHANGING;
  }

  synchronized void add(String outcome) {
    changed++;
    outcomes.merge(outcome, 1L, Long::sum);
  }

  synchronized void end(Stage as, String reason) {
    stage = as;
    failure = reason;
  }
}
