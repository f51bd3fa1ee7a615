package io.millrace.internal.transition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.transition.upkeep.Quarantine;
import java.io.IOException;
import java.nio.file.Path;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of an attempt whose job's record turned out to be damaged is told, too. */
class JobEndedEventTest {

  private static final String NAME = "io.millrace.JobEnded";

  private final TransitionRig rig = new TransitionRig();

  @Test
  void quarantine_ofALeasedJob_tellsWhoseAttemptEnded(@TempDir Path folder) throws IOException {
    rig.enqueue(EnqueueOptions.DEFAULT.type("damaged"));
    rig.claim();
    byte[] key = rig.keys(Keyspace.READY).get(0);
    rig.damage(key);
    Path file = folder.resolve("events.jfr");

    try (Recording recording = new Recording()) {
      recording.enable(NAME);
      recording.start();
      assertThat(rig.apply(new Quarantine(key))).isTrue();
      recording.stop();
      recording.dump(file);
    }

    assertThat(rig.count(JobState.LEASED)).isZero();
    assertThat(rig.state.totals().operations().get(Total.QUARANTINED)).isEqualTo(1);
    RecordedEvent event = RecordingFile.readAllEvents(file).get(0);
    assertThat(event.getEventType().getName()).isEqualTo(NAME);
    assertThat(event.getString("type")).isEqualTo("damaged");
    assertThat(event.getString("worker")).isEqualTo("w1");
    assertThat(event.getString("outcome")).isEqualTo("QUARANTINED");
    assertThat(event.getString("state")).isEqualTo("GONE");
  }
}
