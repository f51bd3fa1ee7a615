package io.millrace.worker.management;

import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import java.time.Instant;
import java.util.List;

/**
 * A job that a worker runs, as tools see it.
 *
 * @param type the name of its type
 * @param attempt the number of this counted start of the job; the first is 1
 * @param since the time when its handler began
 * @param progress the part that is done as the handler last reported it, from 0 to 1; 0 if it
 *     reported nothing
 * @param text the text of the handler's last report; empty if it reported nothing
 * @param thread the name of the thread that its handler runs on
 * @param stack the calls that the thread is in, the innermost first; empty unless asked for
 */
public record RunningJobStatus(
    JobId jobId,
    QueueName queue,
    String type,
    int attempt,
    Instant since,
    double progress,
    String text,
    String thread,
    List<String> stack) {}
