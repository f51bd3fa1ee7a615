package io.millrace.worker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker makes the jobs of schedules, and runs them. */
@Timeout(60)
class ScheduleWorkerTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  private final AtomicLong passedNs = new AtomicLong();
  private final JobEngine engine =
      JobEngine.open("memory:schedules", EngineOptions.DEFAULT.clock(new ClockAhead(passedNs)));
  private final BlockingQueue<String> done = new LinkedBlockingQueue<>();

  /** The machine's clock, and so much more. */
  private record ClockAhead(AtomicLong passedNs) implements EngineClock {

    private static final long PARK_NS_MAX = 1_000_000;

    @Override
    public long epochMs() {
      return System.currentTimeMillis() + TimeUnit.NANOSECONDS.toMillis(passedNs.get());
    }

    @Override
    public long monotonicNs() {
      return System.nanoTime() + passedNs.get();
    }

    @Override
    public void parkNs(long durationNs) {
      LockSupport.parkNanos(this, Math.min(durationNs, PARK_NS_MAX));
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void schedules_timePasses_jobsAreMadeAndRunForTheirInstants() throws Exception {
    Schedules schedules = Schedules.of(engine);
    schedules.put(Schedule.cron("daily", "0 3 * * *", ZoneOffset.UTC).enqueue(MAIL, "report"));
    Instant first = schedules.get("daily").orElseThrow().next().orElseThrow();
    try (Worker worker =
        Worker.on(engine)
            .handle(MAIL, (text, job) -> done.add(text + " " + job.scheduledFor()))
            .schedules()
            .start()) {
      for (int day = 0; day < 3; day++) {
        passedNs.addAndGet(Duration.ofDays(1).toNanos());

        Instant expected = first.plus(Duration.ofDays(day));
        assertThat(done.poll(20, SECONDS)).isEqualTo("report Optional[" + expected + "]");
      }
      assertThat(schedules.runNow("daily")).isPresent();
      assertThat(done.poll(20, SECONDS)).isEqualTo("report Optional.empty");
      assertThat(worker.isStopped()).isFalse();
    }
    assertThat(done).isEmpty();
  }

  @Test
  void scheduledFor_headerOfSomebodyElse_isNone() throws Exception {
    engine.enqueue(MAIL, "x", options -> options.header(Schedule.SCHEDULED_FOR, "soon"));
    try (Worker worker =
        Worker.on(engine)
            .handle(MAIL, (text, job) -> done.add(text + " " + job.scheduledFor()))
            .start()) {
      assertThat(done.poll(20, SECONDS)).isEqualTo("x Optional.empty");
      assertThat(worker.isPaused()).isFalse();
    }
  }

  @Test
  void schedules_saidTwice_isRefused() {
    WorkerSetup setup = Worker.on(engine).schedules();

    assertThatThrownBy(setup::schedules)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type=millrace.schedules");
  }
}
