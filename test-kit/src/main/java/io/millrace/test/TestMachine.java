package io.millrace.test;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.store.memory.MemoryStore;
import io.millrace.store.memory.MemoryStore.Contents;
import io.millrace.test.TestEngine.CommitFate;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The store of a test engine and its disk: the contents outlast the engine's openings, and the test
 * says which commits fail. Any thread.
 */
final class TestMachine implements StoreFactory {

  private static final String SCHEME = "test";
  private static final int VALUE_BYTES_MAX = 64 << 20;
  private static final long BATCH_BYTES_MAX = 64L << 20;
  private static final int BATCH_OPERATIONS_MAX = 131_072;
  private static final int VIEW_COUNT_MAX = 512;

  /** The location of the store of a machine; the name means nothing. */
  static final StoreOptions PLACE = StoreOptions.of(Path.of("millrace-test"));

  private static final StoreInfo INFO =
      StoreInfo.of(SCHEME, "millrace-test")
          .valueBytesMax(VALUE_BYTES_MAX)
          .batchBytesMax(BATCH_BYTES_MAX)
          .batchOperationsMax(BATCH_OPERATIONS_MAX)
          .viewCountMax(VIEW_COUNT_MAX)
          .durability(StoreInfo.Durability.NONE)
          .backup(StoreInfo.Backup.NONE);

  private final Runnable onFailure;
  private final Runnable atRestart;
  private volatile Contents contents = Contents.EMPTY;
  private long epoch;
  private @Nullable CommitFate nextFate;
  private boolean isRestarting;

  /**
   * Creates a machine with an empty store.
   *
   * @param onFailure called by the engine's loop when a commit has failed
   * @param atRestart called when the store is opened for the first time after a crash, before that
   */
  TestMachine(Runnable onFailure, Runnable atRestart) {
    this.onFailure = onFailure;
    this.atRestart = atRestart;
  }

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public OrderedStore open(StoreOptions options) {
    if (takeRestart()) {
      atRestart.run();
    }
    return new Session(options, nextEpoch(options.epochLeast()));
  }

  /** Returns the number of the newest commit. */
  long lastCommit() {
    return contents.commit();
  }

  private synchronized boolean takeRestart() {
    boolean was = isRestarting;
    isRestarting = false;
    return was;
  }

  private synchronized long nextEpoch(long least) {
    epoch = Math.max(epoch + 1, least);
    return epoch;
  }

  /** Fails the next commit. */
  synchronized void failNextCommit(CommitFate fate) {
    nextFate = fate;
  }

  /**
   * Lets the next commit find the process dead: it is lost, and whoever opens the store next is
   * another process.
   */
  synchronized void crash() {
    nextFate = CommitFate.LOST;
    isRestarting = true;
  }

  private synchronized @Nullable CommitFate takeFate() {
    CommitFate fate = nextFate;
    nextFate = null;
    return fate;
  }

  /**
   * The store from one opening to the next. After a failed commit it takes no more commits, but can
   * still be read.
   */
  private final class Session implements OrderedStore {

    private final MemoryStore rows;
    private volatile boolean hasFailed;

    Session(StoreOptions options, long epoch) {
      this.rows = new MemoryStore(INFO, options, epoch, contents, () -> {});
    }

    @Override
    public void write(WriteBatch batch) {
      requireSound();
      CommitFate fate = takeFate();
      if (fate != CommitFate.LOST) {
        rows.write(batch);
        contents = rows.contents();
      }
      if (fate != null) {
        hasFailed = true;
        onFailure.run();
        requireSound();
      }
    }

    @Override
    public void sync() {
      requireSound();
      rows.sync();
    }

    private void requireSound() {
      if (hasFailed) {
        throw StoreFailedException.staged("the test has let a commit fail");
      }
    }

    @Override
    public void settle() {
      if (!hasFailed) {
        rows.settle();
      }
    }

    @Override
    public void close() {
      // One that has failed is closed in order to be opened again: meanwhile readers go on.
      if (!hasFailed) {
        rows.close();
      }
    }

    @Override
    public StoreInfo info() {
      return rows.info();
    }

    @Override
    public long epoch() {
      return rows.epoch();
    }

    @Override
    public long lastCommit() {
      return rows.lastCommit();
    }

    @Override
    public long syncedCommit() {
      return rows.syncedCommit();
    }

    @Override
    public OptionalLong usedBytes() {
      return rows.usedBytes();
    }

    @Override
    public ReadView read() {
      return rows.read();
    }

    @Override
    public void backupTo(Path folder) {
      rows.backupTo(folder);
    }
  }
}
