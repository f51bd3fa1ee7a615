package io.millrace.jmh.load;

import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.api.NewJob;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A measurement of the disk space that waiting jobs take in a store that was closed. */
final class DiskRun {

  private static final long PAYLOADS_BYTES = 8L << 20;
  private static final int JOB_COUNT_LEAST = 50;
  private static final int JOB_COUNT_MAX = 25_000;
  private static final int CALL_BYTES = 4 << 20;
  private static final int CALL_JOB_COUNT_MAX = 1_000;

  private DiskRun() {}

  /**
   * Returns the size of a store's folder over the jobs in it, with so many jobs that nothing else
   * counts.
   */
  static double bytesPerJob(StoreFactory factory, Path folder, int payloadBytes) {
    int jobCount =
        (int) Math.max(JOB_COUNT_LEAST, Math.min(JOB_COUNT_MAX, PAYLOADS_BYTES / payloadBytes));
    int callJobCount = Math.max(1, Math.min(CALL_JOB_COUNT_MAX, CALL_BYTES / payloadBytes));
    Payloads payloads = new Payloads(payloadBytes, 1);
    try (RunFolder run = RunFolder.create(folder)) {
      Path store = run.path().resolve("store");
      try (JobEngine engine =
          JobEngine.open(
              factory,
              StoreOptions.of(store),
              EngineOptions.DEFAULT.durability(Durability.BUFFERED))) {
        for (long number = 0; number < jobCount; ) {
          List<NewJob> jobs = new ArrayList<>();
          long count = Math.min(callJobCount, jobCount - number);
          for (byte[] payload : payloads.allocate((int) count)) {
            payloads.fill(payload, number++, 0);
            jobs.add(NewJob.of(payload));
          }
          engine.queue("load").enqueueAll(jobs);
        }
      }
      return (double) RunFolder.bytes(store) / jobCount;
    }
  }
}
