package io.millrace.store.postgresql;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.BatchContractTest;
import io.millrace.spi.testkit.ConcurrencyContractTest;
import io.millrace.spi.testkit.DurabilityContractTest;
import io.millrace.spi.testkit.KeptSumContractTest;
import io.millrace.spi.testkit.LimitsContractTest;
import io.millrace.spi.testkit.OrderContractTest;
import io.millrace.spi.testkit.ReopenContractTest;
import io.millrace.spi.testkit.SnapshotContractTest;
import io.millrace.spi.testkit.shared.SharedStoreContractTest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The store in a database passes the contract that all stores pass. */
@Tag("slow")
class PostgresStoreContractTest {

  /** A schema for each folder that a test names. */
  private static final class Schemas implements StoreFactory {

    private final PostgresStoreFactory factory = new PostgresStoreFactory();
    private final Map<String, String> schemas = new ConcurrentHashMap<>();

    @Override
    public String scheme() {
      return factory.scheme();
    }

    @Override
    public OrderedStore open(StoreOptions options) {
      String schema = schemas.computeIfAbsent(options.location(), location -> TestServer.newName());
      return factory.open(
          StoreOptions.of(TestServer.location(schema) + "&readers=128")
              .owner(options.owner())
              .ownedFor(options.ownedFor())
              .storeBytesMax(options.storeBytesMax())
              .access(options.access())
              .lostCommits(options.lostCommits())
              .epochLeast(options.epochLeast()));
    }
  }

  @Nested
  class Shared extends SharedStoreContractTest {
    Shared() {
      super(PostgresPlace::new);
    }
  }

  @Nested
  class Order extends OrderContractTest {
    Order() {
      super(Schemas::new);
    }
  }

  @Nested
  class Batch extends BatchContractTest {
    Batch() {
      super(Schemas::new);
    }
  }

  @Nested
  class Snapshot extends SnapshotContractTest {
    Snapshot() {
      super(Schemas::new);
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContractTest {
    Concurrency() {
      super(Schemas::new);
    }
  }

  @Nested
  class Durability extends DurabilityContractTest {
    Durability() {
      super(Schemas::new);
    }
  }

  @Nested
  class Limits extends LimitsContractTest {
    Limits() {
      super(Schemas::new);
    }
  }

  @Nested
  class Sum extends KeptSumContractTest {
    Sum() {
      super(Schemas::new);
    }
  }

  @Nested
  class Reopen extends ReopenContractTest {
    Reopen() {
      super(Schemas::new);
    }
  }
}
