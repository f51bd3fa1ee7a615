package io.millrace.memtable;

import io.millrace.spi.StoreFactory;
import io.millrace.spi.testkit.BackupContractTest;
import io.millrace.spi.testkit.BatchContractTest;
import io.millrace.spi.testkit.ConcurrencyContractTest;
import io.millrace.spi.testkit.DurabilityContractTest;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.LifecycleContractTest;
import io.millrace.spi.testkit.LimitsContractTest;
import io.millrace.spi.testkit.OrderContractTest;
import io.millrace.spi.testkit.ReopenContractTest;
import io.millrace.spi.testkit.SnapshotContractTest;
import io.millrace.store.memory.MemoryStoreFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract with layers of other sizes, and over another store. */
@Tag("thorough")
class MemtableStoresContractTest {

  /** Layers of the usual size, over a store that forgets. */
  private static StoreFactory overMemory() {
    return new MemtableFactory(new MemoryStoreFactory(), options -> options);
  }

  /** Layers of the usual size, over a store that keeps its rows. */
  private static StoreFactory overDisk() {
    return new MemtableFactory(new FaultyStore(1), options -> options);
  }

  /** Layers of a few operations, so that there is always one being folded. */
  private static StoreFactory tiny() {
    return new MemtableFactory(new FaultyStore(1), options -> options.layer(1 << 20, 3));
  }

  /** Layers of a batch each, over a store that says nothing of its room. */
  private static StoreFactory blind() {
    return new MemtableFactory(
        new FaultyStore(1), options -> options.layer(1, 1).room(() -> Long.MAX_VALUE));
  }

  @Nested
  class Order extends OrderContractTest {
    Order() {
      super(MemtableStoresContractTest::overMemory);
    }
  }

  @Nested
  class Batch extends BatchContractTest {
    Batch() {
      super(MemtableStoresContractTest::overMemory);
    }
  }

  @Nested
  class Snapshot extends SnapshotContractTest {
    Snapshot() {
      super(MemtableStoresContractTest::overMemory);
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContractTest {
    Concurrency() {
      super(MemtableStoresContractTest::overMemory);
    }
  }

  @Nested
  class Lifecycle extends LifecycleContractTest {
    Lifecycle() {
      super(MemtableStoresContractTest::overMemory);
    }
  }

  @Nested
  class Durability extends DurabilityContractTest {
    Durability() {
      super(MemtableStoresContractTest::overMemory);
    }
  }

  @Nested
  class Limits extends LimitsContractTest {
    Limits() {
      super(MemtableStoresContractTest::overMemory);
    }
  }

  @Nested
  class OrderKept extends OrderContractTest {
    OrderKept() {
      super(MemtableStoresContractTest::overDisk);
    }
  }

  @Nested
  class BatchKept extends BatchContractTest {
    BatchKept() {
      super(MemtableStoresContractTest::overDisk);
    }
  }

  @Nested
  class SnapshotKept extends SnapshotContractTest {
    SnapshotKept() {
      super(MemtableStoresContractTest::overDisk);
    }
  }

  @Nested
  class ConcurrencyKept extends ConcurrencyContractTest {
    ConcurrencyKept() {
      super(MemtableStoresContractTest::overDisk);
    }
  }

  @Nested
  class LifecycleKept extends LifecycleContractTest {
    LifecycleKept() {
      super(MemtableStoresContractTest::overDisk);
    }
  }

  @Nested
  class DurabilityKept extends DurabilityContractTest {
    DurabilityKept() {
      super(MemtableStoresContractTest::overDisk);
    }
  }

  @Nested
  class LimitsKept extends LimitsContractTest {
    LimitsKept() {
      super(MemtableStoresContractTest::overDisk);
    }
  }

  @Nested
  class ReopenKept extends ReopenContractTest {
    ReopenKept() {
      super(MemtableStoresContractTest::overDisk);
    }
  }

  @Nested
  class BackupKept extends BackupContractTest {
    BackupKept() {
      super(MemtableStoresContractTest::overDisk);
    }
  }

  @Nested
  class OrderBlind extends OrderContractTest {
    OrderBlind() {
      super(MemtableStoresContractTest::blind);
    }
  }

  @Nested
  class BatchBlind extends BatchContractTest {
    BatchBlind() {
      super(MemtableStoresContractTest::blind);
    }
  }

  @Nested
  class SnapshotBlind extends SnapshotContractTest {
    SnapshotBlind() {
      super(MemtableStoresContractTest::blind);
    }
  }

  @Nested
  class ConcurrencyBlind extends ConcurrencyContractTest {
    ConcurrencyBlind() {
      super(MemtableStoresContractTest::blind);
    }
  }

  @Nested
  class LifecycleBlind extends LifecycleContractTest {
    LifecycleBlind() {
      super(MemtableStoresContractTest::blind);
    }
  }

  @Nested
  class DurabilityBlind extends DurabilityContractTest {
    DurabilityBlind() {
      super(MemtableStoresContractTest::blind);
    }
  }

  @Nested
  class LimitsBlind extends LimitsContractTest {
    LimitsBlind() {
      super(MemtableStoresContractTest::blind);
    }
  }

  @Nested
  class ReopenBlind extends ReopenContractTest {
    ReopenBlind() {
      super(MemtableStoresContractTest::blind);
    }
  }

  @Nested
  class BackupBlind extends BackupContractTest {
    BackupBlind() {
      super(MemtableStoresContractTest::blind);
    }
  }

  @Nested
  class ConcurrencyTiny extends ConcurrencyContractTest {
    ConcurrencyTiny() {
      super(MemtableStoresContractTest::tiny);
    }
  }

  @Nested
  class LimitsTiny extends LimitsContractTest {
    LimitsTiny() {
      super(MemtableStoresContractTest::tiny);
    }
  }
}
