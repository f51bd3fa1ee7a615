package io.millrace.internal.state;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The event that a job joined its queue. */
@Name("io.millrace.JobEnqueued")
@Label("Job Enqueued")
@Description("A job joined its queue, to be served at once or later")
final class JobEnqueuedEvent extends RecordedJobEvent {}
