package io.millrace.memtable;

import io.millrace.memtable.log.FolderLog;
import io.millrace.memtable.log.LogReplay;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.BatchContractTest;
import io.millrace.spi.testkit.ConcurrencyContractTest;
import io.millrace.spi.testkit.DurabilityContractTest;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.LifecycleContractTest;
import io.millrace.spi.testkit.OrderContractTest;
import io.millrace.spi.testkit.ReopenContractTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract with a log in files. */
@Tag("thorough")
class FolderLogStoreContractTest {

  @TempDir private static Path folder;

  private static StoreFactory factory() {
    return new LoggedFactory();
  }

  private static final class LoggedFactory implements StoreFactory {
    private final FaultyStore inner = new FaultyStore(1);
    private final Map<Path, Path> logs = new HashMap<>();

    @Override
    public String scheme() {
      return inner.scheme();
    }

    @Override
    public OrderedStore open(StoreOptions storeOptions) {
      OrderedStore base = inner.open(storeOptions);
      MemtableOptions options = MemtableOptions.standard().layer(1 << 20, 3);
      Replayed replayed = new Replayed(base.lastCommit(), base.info(), options);
      Path log = logs.computeIfAbsent(storeOptions.folder(), name -> newFolder());
      LogReplay replay =
          LogReplay.read(
              log,
              base.syncedCommit(),
              0,
              StoreOptions.LostCommits.REFUSE,
              (epoch, batch) -> replayed.add(batch));
      if (storeOptions.access() == StoreOptions.Access.READ_ONLY) {
        return MemtableStore.openReadOnly(
            base,
            new MemoryLog.Disk().open(replay.lastNumber()),
            replayed,
            options,
            (view, copy) -> base.backupTo(copy));
      }
      return MemtableStore.open(base, FolderLog.begin(replay, base.epoch()), replayed, options);
    }

    private static Path newFolder() {
      try {
        return Files.createTempDirectory(folder, "log");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Nested
  class Order extends OrderContractTest {
    Order() {
      super(FolderLogStoreContractTest::factory);
    }
  }

  @Nested
  class Batch extends BatchContractTest {
    Batch() {
      super(FolderLogStoreContractTest::factory);
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContractTest {
    Concurrency() {
      super(FolderLogStoreContractTest::factory);
    }
  }

  @Nested
  class Durability extends DurabilityContractTest {
    Durability() {
      super(FolderLogStoreContractTest::factory);
    }
  }

  @Nested
  class Lifecycle extends LifecycleContractTest {
    Lifecycle() {
      super(FolderLogStoreContractTest::factory);
    }
  }

  @Nested
  class Reopen extends ReopenContractTest {
    Reopen() {
      super(FolderLogStoreContractTest::factory);
    }
  }
}
