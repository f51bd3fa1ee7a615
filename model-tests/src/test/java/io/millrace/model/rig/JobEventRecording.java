package io.millrace.model.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** A JFR recording of this process, of the events that jobs have in their lives. */
public final class JobEventRecording implements AutoCloseable {

  /** All of them. */
  public static final List<String> NAMES =
      List.of("io.millrace.JobEnqueued", "io.millrace.JobClaimed", "io.millrace.JobEnded");

  private final Recording recording = new Recording();

  private JobEventRecording() {}

  /** Records these kinds of events from now on. */
  public static JobEventRecording of(List<String> names) {
    JobEventRecording started = new JobEventRecording();
    names.forEach(started.recording::enable);
    started.recording.start();
    return started;
  }

  /** Records all of them from now on. */
  public static JobEventRecording ofAll() {
    return of(NAMES);
  }

  /** Ends the recording; what it has of jobs, in the order in which it was told. */
  public List<RecordedEvent> stop(Path folder) {
    recording.stop();
    try {
      Path file = Files.createTempFile(folder, "jobs", ".jfr");
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(event -> NAMES.contains(event.getEventType().getName()))
          .sorted(Comparator.comparing(RecordedEvent::getStartTime))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    recording.close();
  }
}
