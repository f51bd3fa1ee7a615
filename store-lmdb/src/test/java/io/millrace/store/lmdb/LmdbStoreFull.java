package io.millrace.store.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.WriteBatch.Reserve;
import io.millrace.spi.testkit.StoreFixture;
import io.millrace.spi.testkit.fault.FullStoreContractTest;
import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What of {@link FullStoreContractTest} is LMDB's own. */
abstract class LmdbStoreFull extends FullStoreContractTest {

  private final StoreFixture fixture;

  LmdbStoreFull(StoreFixture fixture) {
    super(fixture);
    this.fixture = fixture;
  }

  @Test
  void write_diskFullForOneLargeBatch_smallOnesGoOn() throws IOException {
    Machine.require("mount", "umount");
    Machine.run("mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", folder.toString());
    try (OrderedStore store = fixture.factory().open(StoreOptions.of(folder.resolve("s")))) {
      WriteBatch large = new WriteBatch(1);
      large.put(new byte[1], new byte[8 << 20]);

      assertThatThrownBy(() -> store.write(large)).isInstanceOf(StoreFullException.class);

      assertThat(store.lastCommit()).isZero();
      assertThat(rowCount(store)).isZero();
      store.write(rows(1, Reserve.USE));
      assertThat(rowCount(store)).isEqualTo(ROWS_PER_BATCH);
    } finally {
      Machine.run("umount", folder.toString());
    }
  }
}
