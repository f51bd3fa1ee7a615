package io.millrace.memtable;

import io.millrace.spi.StoreFactory;
import io.millrace.spi.testkit.BackupContractTest;
import io.millrace.spi.testkit.BatchContractTest;
import io.millrace.spi.testkit.DurabilityContractTest;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.KeptSumContractTest;
import io.millrace.spi.testkit.LifecycleContractTest;
import io.millrace.spi.testkit.OrderContractTest;
import io.millrace.spi.testkit.ReopenContractTest;
import io.millrace.spi.testkit.SnapshotContractTest;
import org.junit.jupiter.api.Nested;

class MemtableStoreContractTest {

  /** Layers of a few operations, so that there is always one being folded. */
  private static StoreFactory tiny() {
    return new MemtableFactory(new FaultyStore(1), options -> options.layer(1 << 20, 3));
  }

  @Nested
  class Order extends OrderContractTest {
    Order() {
      super(MemtableStoreContractTest::tiny);
    }
  }

  @Nested
  class Batch extends BatchContractTest {
    Batch() {
      super(MemtableStoreContractTest::tiny);
    }
  }

  @Nested
  class Snapshot extends SnapshotContractTest {
    Snapshot() {
      super(MemtableStoreContractTest::tiny);
    }
  }

  @Nested
  class Lifecycle extends LifecycleContractTest {
    Lifecycle() {
      super(MemtableStoreContractTest::tiny);
    }
  }

  @Nested
  class Durability extends DurabilityContractTest {
    Durability() {
      super(MemtableStoreContractTest::tiny);
    }
  }

  @Nested
  class Reopen extends ReopenContractTest {
    Reopen() {
      super(MemtableStoreContractTest::tiny);
    }
  }

  @Nested
  class Backup extends BackupContractTest {
    Backup() {
      super(MemtableStoreContractTest::tiny);
    }
  }

  @Nested
  class Sum extends KeptSumContractTest {
    Sum() {
      super(MemtableStoreContractTest::tiny);
    }
  }
}
