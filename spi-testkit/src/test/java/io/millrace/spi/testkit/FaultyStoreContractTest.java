package io.millrace.spi.testkit;

import io.millrace.spi.StoreInfo.Syncing;
import org.junit.jupiter.api.Nested;

class FaultyStoreContractTest {

  @Nested
  class Order extends OrderContractTest {
    Order() {
      super(() -> new FaultyStore(1));
    }
  }

  @Nested
  class Batch extends BatchContractTest {
    Batch() {
      super(() -> new FaultyStore(1));
    }
  }

  @Nested
  class Snapshot extends SnapshotContractTest {
    Snapshot() {
      super(() -> new FaultyStore(1));
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContractTest {
    Concurrency() {
      super(() -> new FaultyStore(1));
    }
  }

  @Nested
  class Lifecycle extends LifecycleContractTest {
    Lifecycle() {
      super(() -> new FaultyStore(1));
    }
  }

  @Nested
  class Durability extends DurabilityContractTest {
    Durability() {
      super(() -> new FaultyStore(1));
    }
  }

  @Nested
  class Limits extends LimitsContractTest {
    Limits() {
      super(() -> new FaultyStore(1));
    }
  }

  @Nested
  class Reopen extends ReopenContractTest {
    Reopen() {
      super(() -> new FaultyStore(1));
    }
  }

  @Nested
  class Backup extends BackupContractTest {
    Backup() {
      super(() -> new FaultyStore(1));
    }
  }

  @Nested
  class BatchSyncingPrevious extends BatchContractTest {
    BatchSyncingPrevious() {
      super(() -> new FaultyStore(1, Syncing.WRITE_SYNCS_PREVIOUS));
    }
  }

  @Nested
  class BatchSyncingBeside extends BatchContractTest {
    BatchSyncingBeside() {
      super(() -> new FaultyStore(1, Syncing.BESIDE_WRITE));
    }
  }

  @Nested
  class DurabilitySyncingPrevious extends DurabilityContractTest {
    DurabilitySyncingPrevious() {
      super(() -> new FaultyStore(1, Syncing.WRITE_SYNCS_PREVIOUS));
    }
  }

  @Nested
  class DurabilitySyncingBeside extends DurabilityContractTest {
    DurabilitySyncingBeside() {
      super(() -> new FaultyStore(1, Syncing.BESIDE_WRITE));
    }
  }

  @Nested
  class ReopenSyncingPrevious extends ReopenContractTest {
    ReopenSyncingPrevious() {
      super(() -> new FaultyStore(1, Syncing.WRITE_SYNCS_PREVIOUS));
    }
  }

  @Nested
  class ReopenSyncingBeside extends ReopenContractTest {
    ReopenSyncingBeside() {
      super(() -> new FaultyStore(1, Syncing.BESIDE_WRITE));
    }
  }

  @Nested
  class Sum extends KeptSumContractTest {
    Sum() {
      super(() -> new FaultyStore(1));
    }
  }
}
