package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.ManualClock;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.shared.SharedDatabase;
import java.util.ArrayList;
import java.util.List;

/**
 * A database in memory and two nodes, each with a clock of its own and an engine when a test opens
 * one. The first is the owner; the second takes over.
 */
final class SharedStoreRig implements AutoCloseable {

  final SharedDatabase database = new SharedDatabase();
  final Side first = new Side();
  final Side second = new Side();
  private final List<JobEngine> opened = new ArrayList<>();

  /** One node: its way to the database, its clock, its engines. */
  final class Side {

    final SharedDatabase.Node link = database.newLink();
    final ManualClock clock = ManualClock.start();

    EngineOptions options() {
      return EngineOptions.DEFAULT
          .clock(clock)
          .forTests(tests -> tests.randomSeed(7))
          .stallThreshold(Limits.DELAY_MAX)
          .emptyQueueKept(Limits.DELAY_MAX)
          .queueIdle(Limits.DELAY_MAX)
          .management(EngineOptions.Management.OFF);
    }

    JobEngine open() {
      return open(options());
    }

    JobEngine open(EngineOptions options) {
      JobEngine engine = JobEngine.open(link, database.options(), options);
      opened.add(engine);
      return engine;
    }

    /**
     * Opens an engine when the time of whoever has the store is over. One that has just answered
     * may give a last sign of life before it sleeps, and then it is waited for once more.
     */
    JobEngine takeOver() {
      while (true) {
        database.letPass(StoreOptions.OWNED_FOR_DEFAULT.plusMillis(1));
        try {
          return open();
        } catch (StoreLockedException e) {
          assertThat(e.holder()).isPresent();
        }
      }
    }
  }

  static void enqueue(JobQueue queue, String payload) {
    queue.enqueue(payload.getBytes(UTF_8));
  }

  static List<Lease> claimed(JobQueue queue) {
    return queue.claim(ClaimOptions.by("worker"));
  }

  static Lease claim(JobQueue queue) {
    List<Lease> leases = claimed(queue);
    assertThat(leases).hasSize(1);
    return leases.get(0);
  }

  /** How many batches the database has applied. */
  long commit() {
    return database.contents().commit();
  }

  @Override
  public void close() {
    first.link.heal();
    second.link.heal();
    for (JobEngine engine : opened) {
      try {
        engine.close();
      } catch (MillraceException e) {
        // One that has lost its store, or could not reach it, has told so before.
        continue;
      }
    }
  }
}
