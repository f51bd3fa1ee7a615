package io.millrace.store.lmdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link StoreUseTest} with a log. */
@Tag("slow")
class LoggedStoreUseTest extends StoreUseTest {

  @Override
  StoreFactory factory() {
    return new LmdbLogFactory();
  }

  /** The log has what the older file has not, as long as it was not written over. */
  @Override
  @Test
  void open_olderCopyOfTheDataFile_isToldAndTheEpochStillRises() throws IOException {
    open().close();
    byte[] old = Files.readAllBytes(folder.resolve(DataFile.FILE_NAME));
    try (OrderedStore store = open()) {
      store.write(put(1, "a"));
    }
    Files.write(folder.resolve(DataFile.FILE_NAME), old);

    try (OrderedStore store = open()) {
      assertThat(store.epoch()).isEqualTo(3);
      assertThat(store.lastCommit()).isEqualTo(1);
    }
  }
}
