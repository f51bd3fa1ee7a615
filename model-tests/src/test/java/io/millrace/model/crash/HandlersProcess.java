package io.millrace.model.crash;

import io.millrace.engine.JobEngine;
import io.millrace.worker.Worker;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process whose worker runs jobs that are enqueued all the time, until it is killed, told by a
 * signal to end, or stops by itself when its input ends. It says {@code working} when some runs
 * have ended.
 */
final class HandlersProcess {

  private static final int WAITING_MAX = 200;

  private HandlersProcess() {}

  /** How it ends when its input does. */
  enum End {
    /** The worker is stopped, and then the engine is closed. */
    STOP,
    /** It exits, and leaves it to the JVM's shutdown to stop the worker. */
    EXIT
  }

  /**
   * Arguments: store's location, folder for what it tells, a name for its jobs, how many runs end
   * before it says so, how it ends, the grace in milliseconds, how long slow jobs take.
   */
  public static void main(String[] args) throws Exception {
    CountDownLatch least = new CountDownLatch(Integer.parseInt(args[3]));
    Duration grace = Duration.ofMillis(Long.parseLong(args[5]));
    JobEngine engine = JobEngine.open(args[0]);
    Handled handled = new Handled(engine, Path.of(args[1]));
    AtomicInteger left = new AtomicInteger();
    Worker worker =
        handled
            .worker(Duration.ofMillis(Long.parseLong(args[6])))
            .use(
                (job, rest) -> {
                  rest.proceed();
                  left.decrementAndGet();
                  least.countDown();
                })
            .stopAtShutdown(grace)
            .start();
    Thread enqueuer = new Thread(() -> enqueue(handled, args[2], left), "enqueuer");
    enqueuer.setDaemon(true);
    enqueuer.start();
    least.await();
    System.out.println("working");
    System.in.transferTo(OutputStream.nullOutputStream());
    if (End.valueOf(args[4]) == End.STOP) {
      worker.stop(grace);
      engine.close();
      // What still enqueues is told that the engine is closed.
      Runtime.getRuntime().halt(0);
    }
    System.exit(0);
  }

  private static void enqueue(Handled handled, String name, AtomicInteger left) {
    try {
      for (int i = 0; true; i++) {
        while (left.get() > WAITING_MAX) {
          Thread.onSpinWait();
        }
        left.incrementAndGet();
        handled.enqueue(name, i);
      }
    } catch (RuntimeException e) {
      // The engine is closed: the process ends.
      return;
    }
  }
}
