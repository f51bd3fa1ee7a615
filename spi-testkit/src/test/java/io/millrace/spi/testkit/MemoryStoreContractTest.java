package io.millrace.spi.testkit;

import io.millrace.store.memory.MemoryStoreFactory;
import org.junit.jupiter.api.Nested;

class MemoryStoreContractTest {

  @Nested
  class Order extends OrderContractTest {
    Order() {
      super(MemoryStoreFactory::new);
    }
  }

  @Nested
  class Batch extends BatchContractTest {
    Batch() {
      super(MemoryStoreFactory::new);
    }
  }

  @Nested
  class Snapshot extends SnapshotContractTest {
    Snapshot() {
      super(MemoryStoreFactory::new);
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContractTest {
    Concurrency() {
      super(MemoryStoreFactory::new);
    }
  }

  @Nested
  class Lifecycle extends LifecycleContractTest {
    Lifecycle() {
      super(MemoryStoreFactory::new);
    }
  }

  @Nested
  class Durability extends DurabilityContractTest {
    Durability() {
      super(MemoryStoreFactory::new);
    }
  }

  @Nested
  class Limits extends LimitsContractTest {
    Limits() {
      super(MemoryStoreFactory::new);
    }
  }

  @Nested
  class Sum extends SumContractTest {
    Sum() {
      super(MemoryStoreFactory::new);
    }
  }
}
