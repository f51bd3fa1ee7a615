package io.millrace.model.damage;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.model.rig.ManualClock;
import io.millrace.model.rig.Setup;
import java.time.Instant;

/** An engine that works on a golden store while it is made, under a clock that is set. */
abstract class GoldenWork {

  static final long STEP_MS = 1_000;

  /** Higher than that of any job that waits, and one higher for each job that is worked on. */
  private static final int NEXT = 100;

  final ManualClock clock = new ManualClock(GoldenStores.START_MS, 0);
  final StorePlace place;
  JobEngine engine;
  private int openings;
  private int priority = NEXT;

  GoldenWork(StorePlace place) {
    this.place = place;
    this.engine = open();
  }

  /** Puts everything into the store, and leaves the engine open. */
  abstract void work();

  final JobEngine open() {
    Instant processStart = Instant.ofEpochMilli(++openings);
    return JobEngine.open(
        place.factory(),
        place.options(),
        Setup.DEFAULT.options(clock).forTests(tests -> tests.processStart(processStart)));
  }

  final JobId add(QueueName queue, String name, EnqueueOptions options) {
    clock.advanceMs(STEP_MS);
    return engine.queue(queue).enqueue(Labels.payload(name), options).jobId();
  }

  /** A lease on a job that is served before all others. */
  final Lease next(QueueName queue, String name, EnqueueOptions options) {
    add(queue, name, next(options));
    return claim(engine.queue(queue), name);
  }

  /** The options of a job that is served before all others. */
  final EnqueueOptions next(EnqueueOptions options) {
    return options.priority(priority++);
  }

  final Lease claim(JobQueue queue, String name) {
    clock.advanceMs(STEP_MS);
    return named(queue.claim(ClaimOptions.by("golden")).get(0), name);
  }

  static Lease named(Lease lease, String name) {
    if (!Labels.name(lease.payload()).equals(name)) {
      throw new IllegalStateException("another job is served: " + Labels.name(lease.payload()));
    }
    return lease;
  }
}
