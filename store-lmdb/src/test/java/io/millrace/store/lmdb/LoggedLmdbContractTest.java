package io.millrace.store.lmdb;

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
class LoggedLmdbContractTest {

  @Nested
  @Tag("thorough")
  class Backup extends BackupContractTest {
    Backup() {
      super(new LoggedLmdbFixture());
    }
  }

  @Nested
  class Batch extends BatchContractTest {
    Batch() {
      super(new LoggedLmdbFixture());
    }
  }

  @Nested
  @Tag("thorough")
  class Concurrency extends ConcurrencyContractTest {
    Concurrency() {
      super(new LoggedLmdbFixture());
    }
  }

  @Nested
  class Durability extends DurabilityContractTest {
    Durability() {
      super(new LoggedLmdbFixture());
    }
  }

  @Nested
  class FullDisk extends FullDiskContractTest {
    FullDisk() {
      super(new LoggedLmdbFixture());
    }
  }

  @Nested
  class Lifecycle extends LifecycleContractTest {
    Lifecycle() {
      super(new LoggedLmdbFixture());
    }
  }

  @Nested
  @Tag("thorough")
  class Limits extends LimitsContractTest {
    Limits() {
      super(new LoggedLmdbFixture());
    }
  }

  @Nested
  @Tag("thorough")
  class Loss extends LossContractTest {
    Loss() {
      super(new LoggedLmdbFixture());
    }
  }

  @Nested
  class Order extends OrderContractTest {
    Order() {
      super(new LoggedLmdbFixture());
    }
  }

  @Nested
  class Snapshot extends SnapshotContractTest {
    Snapshot() {
      super(new LoggedLmdbFixture());
    }
  }

  @Nested
  class Folder extends FolderContractTest {
    Folder() {
      super(new LoggedLmdbFixture());
    }
  }

  @Nested
  @Tag("thorough")
  class PowerLoss extends PowerLossContractTest {
    PowerLoss() {
      super(new LoggedLmdbFixture(), LoggedLmdbFixture.UNSYNCED_COMMITS_MAX);
    }
  }

  @Nested
  @Tag("thorough")
  class Process extends ProcessContractTest {
    Process() {
      super(new LoggedLmdbFixture());
    }
  }

  @Nested
  class Reopen extends ReopenContractTest {
    Reopen() {
      super(new LoggedLmdbFixture());
    }
  }
}
