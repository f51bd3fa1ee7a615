package io.millrace.examples;

import java.time.Duration;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordingStream;

/** The example of docs/job-events.md: a program that looks at its own jobs while they run. */
final class SlowJobs {

  private SlowJobs() {}

  /**
   * Reports each attempt that lasted longer than this, a second or so after it has ended, until the
   * stream is closed.
   */
  static RecordingStream watch(Duration longest, Consumer<String> told) {
    // region slow-jobs
    RecordingStream events = new RecordingStream();
    events.enable("io.millrace.JobEnded");
    events.onEvent(
        "io.millrace.JobEnded",
        event -> {
          Duration ran = event.getDuration("ran");
          if (ran.compareTo(longest) > 0) {
            String job = event.getString("type") + " " + event.getString("job");
            told.accept(job + " ran for " + ran + ": " + event.getString("outcome"));
          }
        });
    events.startAsync(); // until it is closed
    // endregion
    return events;
  }
}
