package io.millrace.store.rocksdb;

import io.millrace.spi.StoreFactory;
import io.millrace.spi.testkit.BackupContractTest;
import io.millrace.spi.testkit.BatchContractTest;
import io.millrace.spi.testkit.ConcurrencyContractTest;
import io.millrace.spi.testkit.DurabilityContractTest;
import io.millrace.spi.testkit.FolderContractTest;
import io.millrace.spi.testkit.FullDiskContractTest;
import io.millrace.spi.testkit.KeptSumContractTest;
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
class RocksStoreContractTest {

  private static final class RocksFixture implements StoreFixture {
    @Override
    public StoreFactory factory() {
      return new RocksPlainFactory();
    }

    @Override
    public String name() {
      return RocksLimits.NAME;
    }

    @Override
    public boolean isDataFile(String fileName) {
      return LoggedRocksFixture.ROW_FILE.matcher(fileName).matches();
    }
  }

  @Nested
  class Backup extends BackupContractTest {
    Backup() {
      super(new RocksFixture());
    }
  }

  @Nested
  class Batch extends BatchContractTest {
    Batch() {
      super(new RocksFixture());
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContractTest {
    Concurrency() {
      super(new RocksFixture());
    }
  }

  @Nested
  class Durability extends DurabilityContractTest {
    Durability() {
      super(new RocksFixture());
    }
  }

  @Nested
  class FullDisk extends FullDiskContractTest {
    FullDisk() {
      super(new RocksFixture());
    }
  }

  @Nested
  class Lifecycle extends LifecycleContractTest {
    Lifecycle() {
      super(new RocksFixture());
    }
  }

  @Nested
  class Limits extends LimitsContractTest {
    Limits() {
      super(new RocksFixture());
    }
  }

  @Nested
  class Loss extends LossContractTest {
    Loss() {
      super(new RocksFixture());
    }
  }

  @Nested
  class Order extends OrderContractTest {
    Order() {
      super(new RocksFixture());
    }
  }

  @Nested
  class Snapshot extends SnapshotContractTest {
    Snapshot() {
      super(new RocksFixture());
    }
  }

  @Nested
  class Folder extends FolderContractTest {
    Folder() {
      super(new RocksFixture());
    }
  }

  @Nested
  class PowerLoss extends PowerLossContractTest {
    PowerLoss() {
      super(new RocksFixture(), Integer.MAX_VALUE);
    }
  }

  @Nested
  class Process extends ProcessContractTest {
    Process() {
      super(new RocksFixture());
    }
  }

  @Nested
  class Reopen extends ReopenContractTest {
    Reopen() {
      super(new RocksFixture());
    }
  }

  @Nested
  class Sum extends KeptSumContractTest {
    Sum() {
      super(new RocksFixture());
    }
  }
}
