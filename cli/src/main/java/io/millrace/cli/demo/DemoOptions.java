package io.millrace.cli.demo;

import java.nio.file.Path;
import java.util.Locale;

/**
 * The options of a run of the demo.
 *
 * @param folder the folder whose files are hashed
 * @param dir the folder of the store and the manifest
 * @param store the kind of store that keeps the jobs
 * @param isFresh whether to forget first what an earlier run left
 * @param workerCount how many large files are hashed at a time
 * @param failEvery every how many files a first attempt fails on purpose; 0 for never
 */
record DemoOptions(
    Path folder, Path dir, StoreKind store, boolean isFresh, int workerCount, int failEvery) {

  private static final String MANIFEST = "manifest.sha256";

  /** The kind of store that keeps the jobs. */
  enum StoreKind {
    LMDB,
    ROCKSDB,
    MEMORY;

    /** Returns the name as on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  Path storeFolder() {
    return dir.resolve("store");
  }

  Path manifest() {
    return dir.resolve(MANIFEST);
  }

  /** Tells whether a file of {@code dir} is the manifest, or one that was not finished. */
  boolean isManifest(Path file) {
    return file.getFileName().toString().startsWith(MANIFEST);
  }

  /** Returns the location of the store, as the engine and the other commands take it. */
  String location() {
    return store == StoreKind.MEMORY ? "memory:demo" : store + ":" + storeFolder();
  }
}
