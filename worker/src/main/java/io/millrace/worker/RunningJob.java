package io.millrace.worker;

import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import java.time.Instant;
import java.util.List;

/**
 * A job that a worker runs, as it was when it was asked.
 *
 * @param type the name of its type
 * @param since when its handler began
 * @param thread the one that its handler runs on: it may be at another job by now
 * @param progress as the handler told last, from 0 to 1; 0 if it told nothing
 * @param text as the handler told last; empty if it told nothing
 */
public record RunningJob(
    JobId jobId,
    QueueName queue,
    String type,
    int attempt,
    Instant since,
    Thread thread,
    double progress,
    String text) {

  /**
   * What {@link #thread} does at this moment, the innermost call first; empty if it has ended. The
   * handler's calls are among them as long as the job runs: look again whether it does, if that
   * matters.
   */
  public List<StackTraceElement> stack() {
    return List.of(thread.getStackTrace());
  }
}
