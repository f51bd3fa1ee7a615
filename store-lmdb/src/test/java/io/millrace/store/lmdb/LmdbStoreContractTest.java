package io.millrace.store.lmdb;

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
class LmdbStoreContractTest {

  private static final class LmdbFixture implements StoreFixture {
    @Override
    public StoreFactory factory() {
      return new LmdbPlainFactory();
    }

    @Override
    public String name() {
      return LmdbLimits.NAME;
    }

    @Override
    public boolean isDataFile(String fileName) {
      return fileName.equals(DataFile.FILE_NAME);
    }
  }

  @Nested
  class Backup extends BackupContractTest {
    Backup() {
      super(new LmdbFixture());
    }
  }

  @Nested
  class Batch extends BatchContractTest {
    Batch() {
      super(new LmdbFixture());
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContractTest {
    Concurrency() {
      super(new LmdbFixture());
    }
  }

  @Nested
  class Durability extends DurabilityContractTest {
    Durability() {
      super(new LmdbFixture());
    }
  }

  @Nested
  class FullDisk extends FullDiskContractTest {
    FullDisk() {
      super(new LmdbFixture());
    }
  }

  @Nested
  class Lifecycle extends LifecycleContractTest {
    Lifecycle() {
      super(new LmdbFixture());
    }
  }

  @Nested
  class Limits extends LimitsContractTest {
    Limits() {
      super(new LmdbFixture());
    }
  }

  @Nested
  class Loss extends LossContractTest {
    Loss() {
      super(new LmdbFixture());
    }
  }

  @Nested
  class Order extends OrderContractTest {
    Order() {
      super(new LmdbFixture());
    }
  }

  @Nested
  class Snapshot extends SnapshotContractTest {
    Snapshot() {
      super(new LmdbFixture());
    }
  }

  @Nested
  class Folder extends FolderContractTest {
    Folder() {
      super(new LmdbFixture());
    }
  }

  @Nested
  class PowerLoss extends PowerLossContractTest {
    PowerLoss() {
      super(new LmdbFixture(), 1);
    }
  }

  @Nested
  class Process extends ProcessContractTest {
    Process() {
      super(new LmdbFixture());
    }
  }

  @Nested
  class Reopen extends ReopenContractTest {
    Reopen() {
      super(new LmdbFixture());
    }
  }

  @Nested
  class Sum extends KeptSumContractTest {
    Sum() {
      super(new LmdbFixture());
    }
  }
}
