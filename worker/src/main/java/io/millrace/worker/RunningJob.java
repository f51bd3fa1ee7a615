package io.millrace.worker;

import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import java.time.Instant;
import java.util.List;

/**
 * A job that a worker runs, as it was when the worker was asked.
 *
 * @param type the name of its type
 * @param since the time when its handler began
 * @param thread the thread that its handler runs on; it may be at another job by now
 * @param progress the part that is done as the handler last reported it, from 0 to 1; 0 if it
 *     reported nothing
 * @param text the text of the handler's last report; empty if it reported nothing
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
   * Returns the calls that {@link #thread} is in at this moment, the innermost first; empty if it
   * has ended. The handler's calls are among them as long as the job runs. If this matters, look
   * afterwards whether it still does.
   */
  public List<StackTraceElement> stack() {
    return List.of(thread.getStackTrace());
  }
}
