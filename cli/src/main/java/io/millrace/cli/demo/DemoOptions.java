package io.millrace.cli.demo;

import java.nio.file.Path;
import java.util.Locale;

/**
 * What a run of the demo is to do.
 *
 * @param folder whose files are hashed
 * @param dir where the store, the journal and the manifest are
 * @param store what keeps the jobs
 * @param start whether to go on with what is in {@code dir}
 * @param workerCount how many threads hash files
 * @param failEvery every how many files a first attempt fails on purpose; 0 for never
 */
public record DemoOptions(
    Path folder, Path dir, StoreKind store, Start start, int workerCount, int failEvery) {

  /** What keeps the jobs. */
  public enum StoreKind {
    LMDB,
    ROCKSDB,
    MEMORY;

    /** As on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether to go on with what an earlier run left. */
  public enum Start {
    GO_ON,
    FRESH
  }
}
