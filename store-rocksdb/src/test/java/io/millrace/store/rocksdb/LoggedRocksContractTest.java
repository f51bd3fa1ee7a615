package io.millrace.store.rocksdb;

import io.millrace.spi.testkit.BackupContractTest;
import io.millrace.spi.testkit.BatchContractTest;
import io.millrace.spi.testkit.ConcurrencyContractTest;
import io.millrace.spi.testkit.DurabilityContractTest;
import io.millrace.spi.testkit.FolderContractTest;
import io.millrace.spi.testkit.FullDiskContractTest;
import io.millrace.spi.testkit.LifecycleContractTest;
import io.millrace.spi.testkit.LimitsContractTest;
import io.millrace.spi.testkit.LossContractTest;
import io.millrace.spi.testkit.OrderContractTest;
import io.millrace.spi.testkit.ProcessContractTest;
import io.millrace.spi.testkit.ReopenContractTest;
import io.millrace.spi.testkit.SnapshotContractTest;
import io.millrace.spi.testkit.fault.PowerLossContractTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract; what of it takes seconds is left to the builds that have them. */
@Tag("slow")
class LoggedRocksContractTest {

  @Nested
  @Tag("thorough")
  class Backup extends BackupContractTest {
    Backup() {
      super(new LoggedRocksFixture());
    }
  }

  @Nested
  class Batch extends BatchContractTest {
    Batch() {
      super(new LoggedRocksFixture());
    }
  }

  @Nested
  @Tag("thorough")
  class Concurrency extends ConcurrencyContractTest {
    Concurrency() {
      super(new LoggedRocksFixture());
    }
  }

  @Nested
  class Durability extends DurabilityContractTest {
    Durability() {
      super(new LoggedRocksFixture());
    }
  }

  @Nested
  class FullDisk extends FullDiskContractTest {
    FullDisk() {
      super(new LoggedRocksFixture());
    }
  }

  @Nested
  class Lifecycle extends LifecycleContractTest {
    Lifecycle() {
      super(new LoggedRocksFixture());
    }
  }

  @Nested
  @Tag("thorough")
  class Limits extends LimitsContractTest {
    Limits() {
      super(new LoggedRocksFixture());
    }
  }

  @Nested
  @Tag("thorough")
  class Loss extends LossContractTest {
    Loss() {
      super(new LoggedRocksFixture());
    }
  }

  @Nested
  class Order extends OrderContractTest {
    Order() {
      super(new LoggedRocksFixture());
    }
  }

  @Nested
  class Snapshot extends SnapshotContractTest {
    Snapshot() {
      super(new LoggedRocksFixture());
    }
  }

  @Nested
  class Folder extends FolderContractTest {
    Folder() {
      super(new LoggedRocksFixture());
    }
  }

  @Nested
  @Tag("thorough")
  class PowerLoss extends PowerLossContractTest {
    PowerLoss() {
      super(new LoggedRocksFixture(), LoggedRocksFixture.UNSYNCED_COMMITS_MAX);
    }
  }

  @Nested
  @Tag("thorough")
  class Process extends ProcessContractTest {
    Process() {
      super(new LoggedRocksFixture());
    }
  }

  @Nested
  class Reopen extends ReopenContractTest {
    Reopen() {
      super(new LoggedRocksFixture());
    }
  }
}
