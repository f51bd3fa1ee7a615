package io.millrace.console.source;

import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import java.util.Optional;

/**
 * The jobs that a visitor means. A filter finds errors by a part of them, which is also in others:
 * a group of dead letters is told by the whole first line.
 *
 * @param errorLine the first line of their last error as groups show it, empty if they have none;
 *     absent for jobs with any error
 */
public record Selection(JobFilter filter, Optional<String> errorLine) {

  private static final int LINE_LENGTH_MAX = 300;

  /** Returns the jobs that meet a filter. */
  public static Selection of(JobFilter filter) {
    return new Selection(filter, Optional.empty());
  }

  /** Tells whether a job that meets the filter is meant. */
  public boolean has(Job job) {
    return errorLine.isEmpty() || errorLine.get().equals(errorLine(job));
  }

  /** Returns the first line of a job's error, not cut within a character. */
  static String errorLine(Job job) {
    String line = job.lastError().orElse("").lines().findFirst().orElse("");
    if (line.length() <= LINE_LENGTH_MAX) {
      return line;
    }
    boolean isWithin = Character.isHighSurrogate(line.charAt(LINE_LENGTH_MAX - 1));
    return line.substring(0, isWithin ? LINE_LENGTH_MAX - 1 : LINE_LENGTH_MAX);
  }
}
