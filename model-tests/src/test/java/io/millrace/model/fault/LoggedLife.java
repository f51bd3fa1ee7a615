package io.millrace.model.fault;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.ManualClock;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultPlan;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.StoreCall;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** A process that has an engine live through all that is worth a line in its log. */
final class LoggedLife {

  private static final Duration LEASE = Duration.ofMinutes(5);

  /** It would begin a line of its own. */
  private static final String ODD_QUEUE = "mail\nINFO forged";

  private LoggedLife() {}

  public static void main(String[] args) {
    FaultyStore machine = new FaultyStore(1);
    work(machine);
    takeBack(machine);
    fillAndPoison(machine);
    ManualClock clock = new ManualClock(System.currentTimeMillis(), 0);
    leaveAlone(machine, clock);
    loseAttempts(machine, clock);
    System.out.println("done");
  }

  /** Left with a lease, as a process leaves it that dies. */
  private static void work(FaultyStore machine) {
    JobEngine engine = open(machine, 1);
    JobQueue mail = engine.queue(ODD_QUEUE);
    mail.enqueue(new byte[1]);
    mail.enqueue(new byte[1]);
    mail.enqueue(new byte[1], EnqueueOptions.DEFAULT.delay(Duration.ofDays(1)));
    assertThat(mail.claim("w1", LEASE)).isPresent();
    mail.pause();
    mail.resume();
    mail.configure(settings -> settings.depthMax(7));
    String first = mail.drain(Duration.ZERO).name();
    String again = mail.drain(Duration.ZERO).name();
    mail.endDrain();
    System.out.println(first + again + engine.cancel(JobId.parse("0".repeat(32))));
    failWrite(machine, mail);
    try {
      engine.close();
      throw new AssertionError("closing a store that failed succeeded");
    } catch (StoreFailedException e) {
      System.out.println(e.getMessage());
    }
  }

  private static void takeBack(FaultyStore machine) {
    try (JobEngine engine = open(machine, 2)) {
      JobQueue mail = engine.queue(ODD_QUEUE);
      mail.purge(EnumSet.of(JobState.DELAYED, JobState.DEAD));
      mail.delete();
    }
  }

  private static void fillAndPoison(FaultyStore machine) {
    try (JobEngine engine = open(machine, 3)) {
      JobQueue mail = engine.queue("mail");
      machine.room(Room.FOR_RESERVE_USERS);
      try {
        mail.enqueue(new byte[1]);
      } catch (StoreFullException e) {
        machine.room(Room.FOR_ALL);
      }
      awaitUp(engine);
      mail.enqueue(new byte[1]);
      failWrite(machine, mail);
      engine.reopen();
      purgeInPart(machine, mail);
      engine.reopen();
    }
  }

  /** The ready job goes, and the store fails before the delayed one does. */
  private static void purgeInPart(FaultyStore machine, JobQueue queue) {
    queue.enqueue(new byte[1], EnqueueOptions.DEFAULT.delay(Duration.ofDays(1)));
    long second = machine.callCount(StoreCall.WRITE) + 1;
    machine.plan(FaultPlan.at(StoreCall.WRITE, second, Fault.BEFORE));
    try {
      queue.purge(EnumSet.of(JobState.READY, JobState.DELAYED));
      throw new AssertionError("the write succeeded");
    } catch (MillraceException e) {
      System.out.println(e.getMessage());
    }
  }

  private static void failWrite(FaultyStore machine, JobQueue queue) {
    machine.failNext(StoreCall.WRITE, Fault.BEFORE);
    try {
      queue.enqueue(new byte[1]);
      throw new AssertionError("the write succeeded");
    } catch (MillraceException e) {
      System.out.println(e.getMessage());
    }
  }

  /** Nobody claims a job for long; then somebody does, and leaves the queue alone again. */
  private static void leaveAlone(FaultyStore machine, ManualClock clock) {
    try (JobEngine engine = open(machine, 4, clock)) {
      JobQueue odd = engine.queue(ODD_QUEUE);
      odd.enqueue(new byte[1]);
      pass(clock, 180);
      odd.claim("w1", LEASE).orElseThrow().complete().orThrow();
      odd.enqueue(new byte[1]);
      pass(clock, 9);
      odd.claim("w1", LEASE).orElseThrow().complete().orThrow();
      pass(clock, 1);
    }
  }

  /** Leases end, and nobody lives to tell. The log hangs meanwhile, which keeps nothing waiting. */
  private static void loseAttempts(FaultyStore machine, ManualClock clock) {
    HeldErr err = new HeldErr(System.err, "job died");
    try (JobEngine engine = open(machine, 5, clock)) {
      System.setErr(err);
      JobQueue odd = engine.queue(ODD_QUEUE);
      for (int i = 0; i < 100; i++) {
        odd.enqueue(new byte[1], EnqueueOptions.DEFAULT.maxAttempts(1));
      }
      // A lease may last twice its length.
      Dropped.result(odd.claim(ClaimOptions.by("w1").max(100).leaseDuration(LEASE)));
      pass(clock, 61);
      odd.enqueue(new byte[1], EnqueueOptions.DEFAULT.maxAttempts(2));
      assertThat(odd.claim("w2", LEASE)).isPresent();
      pass(clock, 61);
      odd.claim("w3", LEASE).orElseThrow().complete().orThrow();
      err.letGo();
      awaitTrue(
          () -> {
            pass(clock, 1);
            return err.hasTaken("attempt was lost");
          });
    } finally {
      System.setErr(err.out());
    }
  }

  /** A stream that takes no line that begins with this until it is told to. */
  private static final class HeldErr extends PrintStream {

    private final PrintStream out;
    private final String held;
    private final CountDownLatch isFree = new CountDownLatch(1);
    private final List<String> lines = new CopyOnWriteArrayList<>();

    HeldErr(PrintStream out, String held) {
      super(out, true);
      this.out = out;
      this.held = held;
    }

    PrintStream out() {
      return out;
    }

    void letGo() {
      isFree.countDown();
    }

    @Override
    public void println(String line) {
      if (line.contains(held)) {
        awaitTrue(() -> isFree.getCount() == 0);
      }
      out.println(line);
      lines.add(line);
    }

    boolean hasTaken(String part) {
      return lines.stream().anyMatch(line -> line.contains(part));
    }
  }

  private static void pass(ManualClock clock, int tensOfSeconds) {
    for (int i = 0; i < tensOfSeconds; i++) {
      clock.advanceMs(10_000);
      clock.awaitSleeper();
    }
  }

  private static JobEngine open(FaultyStore machine, long process) {
    return open(machine, process, EngineClock.SYSTEM);
  }

  /** Each opening as by a process of its own. */
  private static JobEngine open(FaultyStore machine, long process, EngineClock clock) {
    return JobEngine.open(
        machine,
        StoreOptions.of(Path.of("/jobs")),
        EngineOptions.DEFAULT
            .clock(clock)
            .management(EngineOptions.Management.OFF)
            .closeAtShutdown(false)
            .forTests(tests -> tests.processStart(Instant.ofEpochMilli(process)))
            .reopenAfter(List.of()));
  }

  private static void awaitUp(JobEngine engine) {
    awaitTrue(() -> engine.health().status() == EngineHealth.Status.UP);
  }

  private static void awaitTrue(BooleanSupplier condition) {
    long endNs = System.nanoTime() + ofSeconds(30).toNanos();
    while (!condition.getAsBoolean() && System.nanoTime() - endNs < 0) {
      Thread.onSpinWait();
    }
  }
}
