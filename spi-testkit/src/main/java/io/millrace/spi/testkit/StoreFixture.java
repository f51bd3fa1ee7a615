package io.millrace.spi.testkit;

import io.millrace.spi.StoreFactory;
import java.util.Locale;

/**
 * A kind of store, described for the contract tests.
 *
 * <p>A store's module has one test class, with a nested class for each part of the contract:
 *
 * <pre>{@code
 * class MemoryStoreContractTest {
 *   @Nested class Order extends OrderContractTest {
 *     Order() { super(MemoryStoreFactory::new); }
 *   }
 *   ...
 * }
 * }</pre>
 *
 * <p>Every store passes {@link OrderContractTest}, {@link BatchContractTest}, {@link
 * SnapshotContractTest}, {@link ConcurrencyContractTest}, {@link LifecycleContractTest}, {@link
 * DurabilityContractTest} and {@link LimitsContractTest}, and {@link SumContractTest} unless it has
 * a log of single batches. A store that keeps its rows passes also {@link ReopenContractTest},
 * {@link KeptSumContractTest} in place of {@link SumContractTest}, and {@link BackupContractTest}.
 * One that keeps them in files of its folder passes also {@link FolderContractTest}, {@link
 * ProcessContractTest}, {@link LossContractTest} and {@link FullDiskContractTest}. One that several
 * owners share passes {@link io.millrace.spi.testkit.shared.SharedStoreContractTest} in place of
 * the tests of lifecycles, folders, processes and losses.
 */
@FunctionalInterface
public interface StoreFixture {

  /**
   * Returns the factory for one test. Other processes look for one of its scheme with
   * ServiceLoader.
   */
  StoreFactory factory();

  /** Returns the name that the store gives itself. */
  default String name() {
    return factory().scheme();
  }

  /**
   * Tells whether a file of the store's folder holds rows, and is not a lock, its owner or a
   * watermark.
   */
  default boolean isDataFile(String fileName) {
    String name = fileName.toUpperCase(Locale.ROOT);
    return !name.contains("LOCK") && !name.contains("OWNER") && !name.contains("WATERMARK");
  }
}
