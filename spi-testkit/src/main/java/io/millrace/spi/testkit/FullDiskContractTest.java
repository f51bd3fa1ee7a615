package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFullException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Contract of full disks, with one made from a small tmpfs. Needs root: elsewhere the tests are
 * skipped, and say so, but fail where {@code CI=true}.
 */
public abstract class FullDiskContractTest extends StoreContract {

  private static final int DISK_MIB = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int BALLAST_BYTES = 4 << 20;

  protected FullDiskContractTest(StoreFixture fixture) {
    super(fixture);
  }

  @BeforeEach
  void mountSmallDisk() throws Exception {
    Files.createDirectory(disk());
    PrivilegedCommand.run(
        "mount", "-t", "tmpfs", "-o", "size=" + DISK_MIB + "m", "tmpfs", disk().toString());
    Files.write(ballast(), new byte[BALLAST_BYTES]);
  }

  @AfterEach
  void unmountSmallDisk() throws Exception {
    closeStores();
    if (Files.exists(ballast()) || Files.exists(folder())) {
      PrivilegedCommand.run("umount", "--lazy", disk().toString());
    }
  }

  @Override
  Path folder() {
    return disk().resolve("store");
  }

  @Test
  void write_diskIsFull_whatWasWrittenStaysAndRoomHelps() throws Exception {
    OrderedStore store = open();
    int rowCount = fillDisk(store);
    assertThat(rowCount).isGreaterThan(50);
    assertThat(keys(store, EMPTY, hex("ff")).subList(0, rowCount)).isEqualTo(rowKeys(rowCount));

    Files.delete(ballast());
    store = goOn(store);

    List<String> held = keys(store, EMPTY, hex("ff"));
    assertThat(held.subList(0, rowCount)).isEqualTo(rowKeys(rowCount));
    assertThat(held).hasSize((int) store.lastCommit());
    putOnceThereIsRoom(store, held.size());
    store.sync();
    store.close();
    assertThat(keys(open(), EMPTY, hex("ff"))).hasSize(held.size() + 1);
  }

  @Test
  void write_diskIsFull_deletesMakeRoom() {
    OrderedStore store = open();
    int rowCount = fillDisk(store);
    store = goOn(store);
    int heldCount = (int) store.lastCommit();
    assertThat(heldCount).isGreaterThanOrEqualTo(rowCount);

    LimitsContractTest.free(store, 0, heldCount);

    putOnceThereIsRoom(store, 0);
    store.sync();
    assertThat(keys(store, EMPTY, hex("ff"))).isEqualTo(rowKeys(1));
  }

  @Test
  void open_diskIsFull_isRefusedAndLeavesNothingInTheWay() throws Exception {
    Files.write(disk().resolve("more ballast"), new byte[(DISK_MIB << 20) - BALLAST_BYTES]);

    assertThatThrownBy(this::open).isInstanceOf(StoreException.class);

    Files.delete(disk().resolve("more ballast"));
    writeNumbered(open(), 1);
  }

  /** Writes rows until the store refuses one. Returns how many it took. */
  private static int fillDisk(OrderedStore store) {
    int index = 0;
    try {
      while (true) {
        LimitsContractTest.putRow(store, index);
        index++;
      }
    } catch (StoreFullException e) {
      assertThat(store.lastCommit()).isEqualTo(index);
    } catch (StoreFailedException e) {
      assertThatThrownBy(() -> writeNumbered(store, 1)).isInstanceOf(StoreFailedException.class);
    }
    return index;
  }

  /**
   * Writes a row, and tries again for some seconds if there is no room: a store may give back to
   * the disk a little later what it frees, or has taken for work of its own.
   */
  private static void putOnceThereIsRoom(OrderedStore store, int index) {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        LimitsContractTest.putRow(store, index);
        return;
      } catch (StoreFullException e) {
        if (System.nanoTime() - endNs > 0) {
          throw e;
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  /** Returns the store, opened again if it had failed. */
  private OrderedStore goOn(OrderedStore store) {
    try {
      store.sync();
      return store;
    } catch (StoreFailedException failed) {
      closeStores();
      return open();
    }
  }

  private static List<String> rowKeys(int rowCount) {
    return IntStream.range(0, rowCount)
        .mapToObj(index -> HexFormat.of().formatHex(LimitsContractTest.rowKey(index)))
        .toList();
  }

  private Path disk() {
    return parent.resolve("disk");
  }

  private Path ballast() {
    return disk().resolve("ballast");
  }
}
