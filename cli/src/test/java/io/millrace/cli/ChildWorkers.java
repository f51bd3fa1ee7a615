package io.millrace.cli;

import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import io.millrace.worker.JobContext;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedules;
import io.millrace.worker.Worker;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Workers in a process of their own: two are called mail, of which the first runs a job until that
 * is interrupted; the third is called idle. There are schedules.
 */
final class ChildWorkers {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  private static final JobType<String> BILL = JobType.of("bill", Codec.TEXT);
  private static final CountDownLatch BEGUN = new CountDownLatch(1);

  private ChildWorkers() {}

  static ChildEngine start() throws IOException {
    return ChildEngine.start(ChildWorkers.class, List.of());
  }

  /** Runs in the child until its input ends. */
  public static void main(String[] args) throws Exception {
    try (JobEngine engine = JobEngine.open("memory:workers")) {
      declareSchedules(engine);
      Worker.on(engine).name("mail").concurrency(4).handle(MAIL, ChildWorkers::waitInVain).start();
      awaitSeen(1); // the one that is seen first has its name without a number
      Worker.on(engine).name("mail").concurrency(1).handle(BILL, (bill, job) -> {}).start();
      Worker.on(engine).name("idle").concurrency(2).handle(BILL, (bill, job) -> {}).start();
      awaitSeen(3);
      engine.enqueue(MAIL, "Ada");
      BEGUN.await();
      System.out.println(ChildEngine.READY);
      while (System.in.read() >= 0) {
        // Whatever is said to it, it goes on.
        continue;
      }
    }
  }

  /** Those of {@link SchedulesEndToEndTest}, too. */
  static void declareSchedules(JobEngine engine) {
    Schedules.of(engine)
        .declare(
            "reports",
            Schedule.cron("nightly", "0 3 * * *", ZoneOffset.UTC).enqueue(BILL, "all"),
            Schedule.every("odd\n", Duration.ofDays(3_000)).enqueue(BILL, "odd"));
  }

  private static void waitInVain(String mail, JobContext job) throws InterruptedException {
    job.progress(0.5, "half of " + mail);
    BEGUN.countDown();
    new CountDownLatch(1).await();
  }

  private static void awaitSeen(int count) throws JMException {
    ObjectName pattern = new ObjectName("io.millrace:type=Worker,*");
    while (ManagementFactory.getPlatformMBeanServer().queryNames(pattern, null).size() < count) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }
}
