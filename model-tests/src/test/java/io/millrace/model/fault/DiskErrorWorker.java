package io.millrace.model.fault;

import io.millrace.api.EngineListener;
import io.millrace.api.EngineOptions;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process with many callers whose disk fails under it again and again, and which is reopened each
 * time. It says at the end what its callers were told, and what of it must not be.
 */
final class DiskErrorWorker {

  /** How it is told that no call failed. */
  static final String NOTHING_MET = met(0, 0);

  /** So many times the usual length it goes on if it has met no fault. */
  private static final int LONGEST = 6;

  private static final int OPENING_COUNT_MAX = 20;

  private DiskErrorWorker() {}

  /** Arguments: store's location, seed, how many faults are to be met, for how long at the most. */
  public static void main(String[] args) {
    AtomicInteger full = new AtomicInteger();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void full(Throwable cause) {
            full.incrementAndGet();
          }
        };
    int faultCount = Integer.parseInt(args[2]);
    long lengthNs = TimeUnit.SECONDS.toNanos(Long.parseLong(args[3]));
    long startNs = System.nanoTime();
    Ledger ledger = new Ledger();
    JobEngine engine = open(args[0], EngineOptions.DEFAULT.listener(listener));
    try {
      Load load = new Load(engine, ledger, Load.Shape.DEFAULT, Long.parseLong(args[1]));
      int reopened;
      try (Reopener reopener = new Reopener(engine)) {
        load.start();
        for (int met = 0; met < faultCount; met = reopener.count() + full.get()) {
          // Some calls come once a second, and on a busy machine less often.
          long mostNs = met == 0 ? LONGEST * lengthNs : lengthNs;
          if (System.nanoTime() - startNs > mostNs) {
            break;
          }
          Load.pause(1);
        }
        load.stop();
        load.drain();
        reopened = reopener.count();
      }
      ledger.check(engine);
      System.out.println("tried: " + met(reopened, full.get()) + "; " + ledger.summary());
    } finally {
      close(engine);
    }
    JobEngine later = open(args[0], EngineOptions.DEFAULT);
    try {
      ledger.check(later);
    } finally {
      close(later);
    }
    ledger.violations().forEach(violation -> System.out.println("violation: " + violation));
    System.out.println("done");
  }

  private static String met(int reopened, int full) {
    return "poisoned " + reopened + " times, full " + full + " times";
  }

  /** The disk may fail while the store is closed, too: it is closed all the same. */
  private static void close(JobEngine engine) {
    try {
      engine.close();
    } catch (StoreException e) {
      return;
    }
  }

  /** The disk may fail while the store is opened, too: then it is opened again. */
  private static JobEngine open(String location, EngineOptions options) {
    StoreException last = new StoreException("never opened");
    for (int i = 0; i < OPENING_COUNT_MAX; i++) {
      try {
        return JobEngine.open(location, options);
      } catch (StoreException e) {
        last = e;
      }
    }
    throw last;
  }
}
