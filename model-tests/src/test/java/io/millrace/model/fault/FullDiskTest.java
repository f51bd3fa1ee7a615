package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineOptions;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailResult;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.ReleaseResult;
import io.millrace.engine.JobEngine;
import io.millrace.model.fault.Ledger.Note;
import io.millrace.model.rig.Await;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Disks that fill up under an engine that works, and have room again later: what adds is refused,
 * what ends goes on, leases live on, and work resumes by itself.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@Tag("slow")
class FullDiskTest {

  private static final int DISK_MEGABYTES = 24;
  private static final Duration LONG = Duration.ofMinutes(5);

  /** Producers never wait for consumers: the disk is what stops them. */
  private static final Load.Shape FILLING =
      new Load.Shape(4, 2, LONG, Duration.ofMillis(4), 16_000, 1_000_000);

  /** Producers wait for nobody here either, or a backlog that cannot end would keep them quiet. */
  private static final Load.Shape STEADY =
      new Load.Shape(2, 3, LONG, Duration.ofMillis(1), 1_000, 1_000_000);

  @TempDir Path outside;

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void disk_filledByTheQueueUnderLoad_whatEndsGoesOnAndWorkResumesByItself(String scheme)
      throws IOException {
    for (Trial trial : trials(scheme)) {
      try (SmallDisk disk = trial.disk();
          Running running = trial.run(disk, FILLING)) {
        List<Lease> held = running.held();
        running.load().start();
        Await.until("the disk is full", running.engine()::isFull);
        long completedBefore = running.ledger().counted(Note.COMPLETED);

        Await.until("it says so", () -> status(running) == EngineHealth.Status.FULL);
        assertThat(ends(held, Supplier::get)).isEqualTo(ENDED);
        Await.until(
            "the others' jobs end, too",
            () -> running.ledger().counted(Note.COMPLETED) > completedBefore + 20);

        running.load().stopProducers();
        JobQueue again = running.engine().queue("again");
        untilItGetsThrough(() -> again.enqueue(new byte[FILLING.payloadBytes()]));
        running.check();
        assertThat(running.ledger().counted(Note.REFUSED)).isPositive();
        trial.report("filled by the queue", running);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void disk_filledBySomebodyElseToTheLastByte_endsGetThroughAndWorkResumesOnceThereIsRoom(
      String scheme) throws IOException {
    for (Trial trial : trials(scheme)) {
      try (SmallDisk disk = trial.disk();
          Running running = trial.run(disk, STEADY)) {
        List<Lease> held = running.held();
        Ledger ledger = running.ledger();
        running.load().start();
        Await.until("work is under way", () -> ledger.counted(Note.COMPLETED) > 100);

        disk.fill();
        Await.until("the disk is full", () -> ledger.counted(Note.REFUSED) > 100);
        // To free something RocksDB must write: the others may have used up what it had put by.
        boolean freesInPlace = scheme.equals("lmdb");
        if (freesInPlace) {
          assertThat(ends(held, FullDiskTest::untilItGetsThrough)).isEqualTo(ENDED);
        }

        disk.makeRoom();
        if (!freesInPlace) {
          assertThat(ends(held, FullDiskTest::untilItGetsThrough)).isEqualTo(ENDED);
        }
        long enqueuedBefore = ledger.counted(Note.ENQUEUED);
        Await.until("work goes on", () -> ledger.counted(Note.ENQUEUED) > enqueuedBefore + 100);
        running.check();
        trial.report("filled by somebody else", running);
      }
    }
  }

  private List<Trial> trials(String scheme) {
    long seed = Trials.seed();
    SmallDisk.Kind[] kinds = SmallDisk.Kind.values();
    List<Trial> trials = new ArrayList<>();
    for (int i = 0; i < Trials.count("full.disks", 1, 2, 10); i++) {
      trials.add(
          new Trial(outside.resolve("trial-" + i), scheme, kinds[i % kinds.length], seed + i));
    }
    return trials;
  }

  /** One store on one disk. */
  private record Trial(Path folder, String scheme, SmallDisk.Kind kind, long seed) {

    SmallDisk disk() throws IOException {
      return SmallDisk.mount(kind, Files.createDirectory(folder), DISK_MEGABYTES);
    }

    Running run(SmallDisk disk, Load.Shape shape) {
      Events events = new Events();
      EngineOptions options = EngineOptions.DEFAULT.listener(events);
      JobEngine engine = JobEngine.open(scheme + ":" + disk.folder(), options);
      Ledger ledger = new Ledger();
      return new Running(engine, ledger, new Load(engine, ledger, shape, seed), events, seed);
    }

    void report(String how, Running running) {
      Trials.report(
          FullDiskTest.class,
          "%s, %s, %s: said %s; %s"
              .formatted(scheme, kind, how, running.events().said(), running.ledger().summary()));
    }
  }

  /** An engine under load. */
  private record Running(JobEngine engine, Ledger ledger, Load load, Events events, long seed)
      implements AutoCloseable {

    /** Jobs that run since before the disk was full. */
    List<Lease> held() {
      JobQueue queue = engine.queue("held");
      queue.enqueueAll(Collections.nCopies(ENDED.size(), NewJob.of(new byte[100])));
      return queue.claim(
          ClaimOptions.by("holder").max(ENDED.size()).leaseDuration(Duration.ofMinutes(5)));
    }

    /** Ends the load: nobody was told what is not so. */
    void check() {
      load.stop();
      load.drain();
      ledger.check(engine);
      assertThat(ledger.violations()).as("seed %d", seed).isEmpty();
      assertThat(engine.poison()).isEmpty();
      assertThat(engine.isFull()).isFalse();
      assertThat(events.said()).startsWith("full", "room again").doesNotContain("poisoned");
    }

    @Override
    public void close() {
      engine.close();
    }
  }

  private static EngineHealth.Status status(Running running) {
    return running.engine().health().status();
  }

  /** What holders are told who extend and end their leases in every way. */
  private static final List<Object> ENDED =
      List.of(
          ExtendResult.Extended.class,
          CompleteResult.COMPLETED,
          FailResult.Retried.class,
          ReleaseResult.RELEASED,
          ReleaseResult.RELEASED);

  /** How a holder takes a refusal. */
  private interface Patience {
    Object take(Supplier<Object> call);
  }

  private static List<Object> ends(List<Lease> held, Patience patience) {
    assertThat(held).allSatisfy(lease -> assertThat(lease.remaining()).isPositive());
    return List.of(
        patience.take(() -> held.get(0).extend(LONG.plus(LONG))).getClass(),
        patience.take(() -> held.get(1).complete()),
        patience.take(() -> held.get(2).fail("broken")).getClass(),
        patience.take(() -> held.get(3).release()),
        patience.take(() -> held.get(4).snooze(Duration.ofMinutes(1))));
  }

  private static Object untilItGetsThrough(Supplier<Object> call) {
    List<CallOutcome<Object>> told = new ArrayList<>();
    Await.until(
        "the holder gets through",
        () -> {
          told.add(0, CallOutcome.by(call));
          return told.get(0).kind() == CallOutcome.Kind.ANSWER;
        });
    return told.get(0).answer();
  }
}
