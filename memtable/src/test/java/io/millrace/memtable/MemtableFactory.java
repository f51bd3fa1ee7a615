package io.millrace.memtable;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Opens stores of another factory with rows in memory before them, and a log in memory for each.
 */
final class MemtableFactory implements StoreFactory {

  private final StoreFactory inner;
  private final UnaryOperator<MemtableOptions> options;
  private final Map<Path, MemoryLog.Disk> logs = new HashMap<>();

  MemtableFactory(StoreFactory inner, UnaryOperator<MemtableOptions> options) {
    this.inner = inner;
    this.options = options;
  }

  @Override
  public String scheme() {
    return inner.scheme();
  }

  MemoryLog.Disk log(Path folder) {
    return logs.computeIfAbsent(folder.toAbsolutePath().normalize(), name -> new MemoryLog.Disk());
  }

  @Override
  public OrderedStore open(StoreOptions storeOptions) {
    OrderedStore base = inner.open(storeOptions);
    if (base.info().durability() == StoreInfo.Durability.NONE) {
      logs.remove(storeOptions.folder().toAbsolutePath().normalize());
    }
    MemtableOptions all =
        options.apply(
            MemtableOptions.standard()
                .room(() -> storeOptions.storeBytesMax() - base.usedBytes().orElse(0)));
    MemoryLog.Disk disk = log(storeOptions.folder());
    Replayed replayed = new Replayed(base.lastCommit(), base.info(), all);
    disk.batches().forEach(replayed::add);
    MemoryLog log = disk.open(base.lastCommit());
    return storeOptions.access() == StoreOptions.Access.READ_ONLY
        ? MemtableStore.openReadOnly(base, log, replayed, all, (view, copy) -> base.backupTo(copy))
        : MemtableStore.open(base, log, replayed, all);
  }
}
