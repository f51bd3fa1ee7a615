package io.millrace.store.lmdb;

import io.millrace.spi.StoreFactory;
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
import io.millrace.spi.testkit.StoreFixture;
import io.millrace.spi.testkit.fault.PowerLossContractTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class LoggedLmdbContractTest {

  /** As many as the writer of the test may leave in the log without a sync. */
  static final long UNSYNCED_COMMITS_MAX = 60;

  private static final class LogFixture implements StoreFixture {
    private final StoreFactory factory;

    LogFixture() {
      this(new LmdbLogFactory());
    }

    LogFixture(StoreFactory factory) {
      this.factory = factory;
    }

    @Override
    public StoreFactory factory() {
      return factory;
    }

    @Override
    public String name() {
      return LmdbLimits.NAME;
    }

    @Override
    public boolean isDataFile(String fileName) {
      return fileName.equals(DataFile.FILE_NAME) || fileName.startsWith("log-");
    }
  }

  static StoreFixture fixture(StoreFactory factory) {
    return new LogFixture(factory);
  }

  @Nested
  class Backup extends BackupContractTest {
    Backup() {
      super(new LogFixture());
    }
  }

  @Nested
  class Batch extends BatchContractTest {
    Batch() {
      super(new LogFixture());
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContractTest {
    Concurrency() {
      super(new LogFixture());
    }
  }

  @Nested
  class Durability extends DurabilityContractTest {
    Durability() {
      super(new LogFixture());
    }
  }

  @Nested
  class FullDisk extends FullDiskContractTest {
    FullDisk() {
      super(new LogFixture());
    }
  }

  @Nested
  class Lifecycle extends LifecycleContractTest {
    Lifecycle() {
      super(new LogFixture());
    }
  }

  @Nested
  class Limits extends LimitsContractTest {
    Limits() {
      super(new LogFixture());
    }
  }

  @Nested
  class Loss extends LossContractTest {
    Loss() {
      super(new LogFixture());
    }
  }

  @Nested
  class Order extends OrderContractTest {
    Order() {
      super(new LogFixture());
    }
  }

  @Nested
  class Snapshot extends SnapshotContractTest {
    Snapshot() {
      super(new LogFixture());
    }
  }

  @Nested
  class Folder extends FolderContractTest {
    Folder() {
      super(new LogFixture());
    }
  }

  @Nested
  class PowerLoss extends PowerLossContractTest {
    PowerLoss() {
      super(new LogFixture(), UNSYNCED_COMMITS_MAX);
    }
  }

  @Nested
  class Process extends ProcessContractTest {
    Process() {
      super(new LogFixture());
    }
  }

  @Nested
  class Reopen extends ReopenContractTest {
    Reopen() {
      super(new LogFixture());
    }
  }
}
