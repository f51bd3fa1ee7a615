package io.millrace.worker.management;

import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import java.time.Instant;
import java.util.List;

/**
 * A job that a worker runs, as tools see it.
 *
 * @param type the name of its type
 * @param attempt which counted start of the job this is; the first is 1
 * @param since when its handler began
 * @param progress as the handler told last, from 0 to 1; 0 if it told nothing
 * @param text as the handler told last; empty if it told nothing
 * @param thread the name of the thread that its handler runs on
 * @param stack what the thread does, the innermost call first; empty unless that was asked for
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
