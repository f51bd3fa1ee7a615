package io.millrace.jmh.load;

import io.millrace.api.Backoff;
import io.millrace.api.BatchId;
import io.millrace.api.EnqueueOptions;
import java.time.Duration;
import java.util.Optional;

/** The mix of jobs in a workload. A job's number decides on its options, and whether it fails. */
final class Mix {

  private static final int PRIORITY_COUNT = 5;
  private static final int DELAYED_EVERY = 20;
  private static final int FAILED_EVERY = 50;
  private static final Duration FAR_OFF = Duration.ofDays(1);

  /** The number of jobs in a row that have the same key, where jobs are to wait for each other. */
  private static final int JOBS_PER_KEY = 4;

  private final Workload workload;
  private final int producerCount;
  private final int keyCount;
  private final EnqueueOptions[] byPriority = new EnqueueOptions[PRIORITY_COUNT];
  private final EnqueueOptions[] byKey;
  private final EnqueueOptions soon;

  private final EnqueueOptions plain;

  /**
   * Creates the mix of a load.
   *
   * @param batch the batch that all jobs are to be in; empty for none
   */
  Mix(LoadOptions options, Optional<BatchId> batch) {
    this.plain = batch.map(EnqueueOptions.DEFAULT::batch).orElse(EnqueueOptions.DEFAULT);
    this.workload = options.workload();
    this.producerCount = options.callers().producerCount();
    this.keyCount = options.queues().keyCount();
    EnqueueOptions retried = EnqueueOptions.DEFAULT.backoff(Backoff.fixed(Duration.ofMillis(10)));
    for (int i = 0; i < PRIORITY_COUNT; i++) {
      byPriority[i] = retried.priority(i - PRIORITY_COUNT / 2);
    }
    boolean isKeyed = workload.isKeyed() || workload.isBlocked();
    byKey = new EnqueueOptions[isKeyed ? keyCount : 0];
    for (int i = 0; i < byKey.length; i++) {
      byKey[i] =
          workload.isOfEngine()
              ? EnqueueOptions.DEFAULT.engineConcurrencyKey("key-" + i, 1)
              : EnqueueOptions.DEFAULT.concurrencyKey("key-" + i);
    }
    soon =
        workload == Workload.DELAYED
            ? EnqueueOptions.DEFAULT.delay(EngineTarget.DELAY)
            : retried.delay(EngineTarget.DELAY);
  }

  EnqueueOptions of(byte[] payload) {
    if (workload == Workload.DELAYED) {
      return soon;
    }
    if (workload == Workload.UNIQUE) {
      return EnqueueOptions.DEFAULT.unique("job " + Payloads.number(payload));
    }
    if (workload.isKeyed()) {
      return byKey[key(Payloads.number(payload), 1)];
    }
    if (workload.isBlocked()) {
      return byKey[key(Payloads.number(payload), JOBS_PER_KEY)];
    }
    if (workload != Workload.SOAK) {
      return plain;
    }
    long number = Payloads.number(payload);
    return number % DELAYED_EVERY == 0 ? soon : byPriority[(int) (number % PRIORITY_COUNT)];
  }

  /** Returns the options of a job that stays there for the whole run. */
  EnqueueOptions farOff() {
    return plain.delay(FAR_OFF);
  }

  /**
   * Returns the key of a job. Each producer goes round keys of its own, so that none meets those of
   * another; producers share keys only where there are fewer keys than producers.
   */
  private int key(long number, int jobsInRow) {
    long producer = Ledger.producer(number);
    long first = producer * keyCount / producerCount;
    long ownCount = Math.max(1, (producer + 1) * keyCount / producerCount - first);
    long own = Ledger.sequence(number) / jobsInRow % ownCount;
    return (int) ((first + own) % keyCount);
  }

  boolean hasFailures() {
    return workload == Workload.SOAK;
  }

  /** Tells whether a job is to fail the first time, as every {@value #FAILED_EVERY}th does. */
  boolean isToFail(long number) {
    return number % FAILED_EVERY == 0;
  }
}
