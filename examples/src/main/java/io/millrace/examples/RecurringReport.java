package io.millrace.examples;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.PageRequest;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedule.Missed;
import io.millrace.worker.Schedule.Overlap;
import io.millrace.worker.ScheduleStatus;
import io.millrace.worker.Schedules;
import io.millrace.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * The example of docs/recurring.md: a report every night, and a check every few minutes, made by
 * any program that has the store open.
 */
public final class RecurringReport {

  private static final JobType<String> REPORT = JobType.of("report", Codec.TEXT);
  private static final JobType<String> CHECK = JobType.of("check", Codec.TEXT);

  private RecurringReport() {}

  /**
   * Runs the example. Does not wait for the night, but has the report made at once, and waits for a
   * pulse.
   */
  static void run(JobQueues queues, Consumer<String> log) throws InterruptedException {
    CountDownLatch seen = new CountDownLatch(2);
    Consumer<String> told =
        line -> {
          log.accept(line);
          seen.countDown();
        };
    Schedules schedules = declare(queues);
    schedules.put(Schedule.every("pulse", Duration.ofSeconds(1)).enqueue(CHECK, "pulse"));
    list(schedules, log);
    Worker worker = work(queues, told);
    byHand(schedules);
    seen.await();
    worker.close();
    schedules.remove("pulse");
  }

  static Schedules declare(JobQueues engine) {
    // region declare
    Schedules schedules = Schedules.of(engine);
    schedules.declare(
        "shop",
        Schedule.cron("nightly report", "0 3 * * *", ZoneId.of("Europe/Berlin"))
            .enqueue(REPORT, "all shops", options -> options.maxAttempts(5))
            .overlap(Overlap.SKIP),
        Schedule.every("stock check", Duration.ofMinutes(5))
            .enqueue(CHECK, "boots")
            .missed(Missed.SKIP)
            .jitter(Duration.ofSeconds(20)));
    // endregion
    return schedules;
  }

  static Worker work(JobQueues engine, Consumer<String> print) {
    // region work
    Worker worker =
        Worker.on(engine)
            .handle(
                REPORT,
                (shops, job) -> {
                  Instant upTo = job.scheduledFor().orElseGet(job::enqueuedAt);
                  print.accept("report of " + shops + " up to " + upTo);
                })
            .handle(CHECK, (item, job) -> print.accept("check of " + item))
            .start();
    // endregion
    return worker;
  }

  static void byHand(Schedules schedules) {
    // region by-hand
    schedules.pause("nightly report"); // until it is resumed, also over restarts
    schedules.resume("nightly report"); // with the next instant that is still to come
    schedules.runNow("nightly report"); // one now, whatever its instants are
    // endregion
  }

  static void list(Schedules schedules, Consumer<String> print) {
    // region list
    for (ScheduleStatus each : schedules.list(PageRequest.first(100)).items()) {
      print.accept(each.name() + ": " + each.times() + (each.isPaused() ? ", paused" : ""));
    }
    // endregion
  }

  static List<Instant> nights(Instant from) {
    // region next instants
    Schedule nightly = Schedule.cron("nightly", "30 2 * * *", ZoneId.of("Europe/Berlin"));
    List<Instant> nights = nightly.next(from, 3); // nothing is stored
    // endregion
    return nights;
  }
}
