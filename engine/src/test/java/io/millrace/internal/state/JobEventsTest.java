package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobEventsTest {

  private static final QueueName MAIL = new QueueName("mail", "a tenant");
  private static final JobRecord JOB =
      JobRecord.builder()
          .birth(7)
          .birthKind(Keyspace.DELAYED)
          .birthPriority(-128)
          .priority(127)
          .enqueuedAtMs(1)
          .readyAtMs(1_000)
          .build();
  private static final LeaseEntry LEASE =
      new LeaseEntry(3, JOB, 9, new LeaseEntry.Terms(11, "worker", 2, 1_250, 30_000));

  /** What asking takes itself, and less than one object for each ten of these lives. */
  private static final long BYTES_MAX = 32_768;

  private final JobEvents events = new JobEvents();

  private void life() {
    events.beginBatch();
    events.enqueued(MAIL, 3, JOB);
    events.started(MAIL, LEASE, JOB);
    events.ended(MAIL, LEASE, Total.RETRIED, JobState.DELAYED, 1_500);
    events.removed(MAIL, 3, JOB, Total.PURGED);
    events.endedWithQueue(MAIL, LEASE, 1_500);
    events.removedWithQueue(MAIL, 3, JOB);
    events.commitBatch();
  }

  @Test
  void life_nobodyRecords_allocatesNothing() throws JMException {
    for (int i = 0; i < 20_000; i++) {
      life();
    }
    allocatedBytes();
    long before = allocatedBytes();

    for (int i = 0; i < 20_000; i++) {
      life();
    }

    assertThat(allocatedBytes() - before).isLessThan(BYTES_MAX);
  }

  private static long allocatedBytes() throws JMException {
    Object[] thread = {Thread.currentThread().getId()};
    Object bytes =
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                "getThreadAllocatedBytes",
                thread,
                new String[] {"long"});
    return (Long) bytes;
  }

  @Test
  void life_recorded_saysOfTheLeaseWhatTheRecordSays(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("io.millrace.JobClaimed");
      recording.enable("io.millrace.JobEnded");
      recording.start();
      life();
      recording.stop();
      recording.dump(file);
    }

    List<RecordedEvent> told = RecordingFile.readAllEvents(file);

    assertThat(told)
        .extracting(event -> event.getEventType().getLabel())
        .containsExactly("Job Claimed", "Job Ended", "Job Ended", "Job Ended", "Job Ended");
    assertThat(told)
        .extracting(event -> event.getString("job"))
        .containsOnly(JOB.jobId(3).toString());
    assertThat(told).extracting(event -> event.getString("type")).containsOnly("mail");
    assertThat(told.get(0).getDuration("waited").toMillis()).isEqualTo(250);
    assertThat(told.get(1).getDuration("ran").toMillis()).isEqualTo(250);
  }

  @Test
  void batchThatNeverHappened_isForgottenWhenTheNextBegins(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("io.millrace.JobEnqueued");
      recording.start();
      events.beginBatch();
      events.enqueued(MAIL, 3, JOB);
      events.beginBatch();
      events.commitBatch();
      recording.stop();
      recording.dump(file);
    }

    assertThat(RecordingFile.readAllEvents(file)).isEmpty();
  }
}
