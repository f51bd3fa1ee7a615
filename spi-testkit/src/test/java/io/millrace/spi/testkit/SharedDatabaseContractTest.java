package io.millrace.spi.testkit;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.shared.SharedDatabase;
import io.millrace.spi.testkit.shared.SharedStoreContractTest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Nested;

/** The database in memory is a shared store like any other, and a store like any other. */
class SharedDatabaseContractTest {

  /** A database for each location. */
  private static final class Databases implements StoreFactory {

    private final Map<String, SharedDatabase> databases = new ConcurrentHashMap<>();

    @Override
    public String scheme() {
      return SharedDatabase.SCHEME;
    }

    @Override
    public OrderedStore open(StoreOptions options) {
      return databases
          .computeIfAbsent(options.location(), location -> new SharedDatabase())
          .newLink()
          .open(options);
    }
  }

  @Nested
  class Shared extends SharedStoreContractTest {
    Shared() {
      super(SharedDatabase::new);
    }
  }

  @Nested
  class SharedWithEpochsInSteps extends SharedStoreContractTest {
    SharedWithEpochsInSteps() {
      super(() -> new SharedDatabase(1_000, StoreInfo.BATCH_OPERATIONS_LEAST));
    }
  }

  @Nested
  class Order extends OrderContractTest {
    Order() {
      super(Databases::new);
    }
  }

  @Nested
  class Batch extends BatchContractTest {
    Batch() {
      super(Databases::new);
    }
  }

  @Nested
  class Durability extends DurabilityContractTest {
    Durability() {
      super(Databases::new);
    }
  }

  @Nested
  class Limits extends LimitsContractTest {
    Limits() {
      super(Databases::new);
    }
  }

  @Nested
  class Sum extends SumContractTest {
    Sum() {
      super(Databases::new);
    }
  }
}
