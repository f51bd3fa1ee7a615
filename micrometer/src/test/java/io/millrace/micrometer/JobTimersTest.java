package io.millrace.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.api.JobEvent;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Timers come with events and go with queues. */
class JobTimersTest {

  private static final Tags MAIL = Tags.of("queue", "mail");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Meters meters = new Meters(registry, Tags.of("engine", "orders"));
  private final QueueMeters queues = new QueueMeters(meters, MetricsOptions.DEFAULT, () -> {});
  private final JobTimers timers = new JobTimers(meters, queues, 2);

  private record Event(Kind kind, String type, Optional<Duration> waited, Optional<Duration> ran)
      implements JobEvent {

    @Override
    public JobId jobId() {
      return new JobId(1, 2);
    }

    @Override
    public QueueName queue() {
      return QueueName.of("mail");
    }

    @Override
    public int attempt() {
      return 1;
    }

    @Override
    public Instant at() {
      return Instant.EPOCH;
    }

    @Override
    public Optional<String> worker() {
      return Optional.empty();
    }

    @Override
    public Optional<String> error() {
      return Optional.empty();
    }

    @Override
    public Optional<JobState> state() {
      return Optional.empty();
    }
  }

  private void waited(String type, int seconds) {
    Optional<Duration> time = Optional.of(Duration.ofSeconds(seconds));
    timers.happened(new Event(JobEvent.Kind.CLAIMED, type, time, Optional.empty()));
  }

  private void ran(String type, JobEvent.Kind kind, int seconds) {
    Optional<Duration> time = Optional.of(Duration.ofSeconds(seconds));
    timers.happened(new Event(kind, type, Optional.empty(), time));
  }

  private double seconds(String name, String... tags) {
    return registry.get(name).tags(tags).timer().totalTime(TimeUnit.SECONDS);
  }

  @Test
  void times_ofEvents_areAddedByWhatTheyAreOf() {
    waited("letter", 3);
    waited("letter", 4);
    ran("letter", JobEvent.Kind.DIED, 5);
    ran("letter", JobEvent.Kind.COMPLETED, 6);
    timers.happened(
        new Event(JobEvent.Kind.ENQUEUED, "letter", Optional.empty(), Optional.empty()));

    assertThat(seconds("millrace.job.wait", "queue", "mail", "type", "letter")).isEqualTo(7);
    assertThat(seconds("millrace.job.run", "outcome", "died")).isEqualTo(5);
    assertThat(seconds("millrace.job.run", "outcome", "completed")).isEqualTo(6);
    assertThat(registry.find("millrace.job.run").timers()).hasSize(2);
  }

  @Test
  void keep_queueMissingTwiceInARow_removesItsTimers() {
    waited("letter", 3);
    timers.keep(Set.of());
    timers.keep(Set.of(MAIL));
    timers.keep(Set.of());
    Timer before = registry.get("millrace.job.wait").timer();
    waited("letter", 4);

    timers.keep(Set.of());

    assertThat(before.totalTime(TimeUnit.SECONDS)).isEqualTo(7);
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void keep_whatThereIsNoRoomFor_staysAndRoomComesBack() {
    waited("a", 1);
    waited("b", 1);
    waited("c", 1);
    timers.keep(Set.of());
    timers.keep(Set.of());
    waited("d", 2);

    assertThat(seconds("millrace.job.wait", "queue", "other", "type", "other")).isEqualTo(1);
    assertThat(seconds("millrace.job.wait", "queue", "mail", "type", "d")).isEqualTo(2);
    assertThat(registry.find("millrace.job.wait").timers()).hasSize(2);
  }
}
