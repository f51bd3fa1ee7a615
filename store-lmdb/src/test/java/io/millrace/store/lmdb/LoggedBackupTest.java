package io.millrace.store.lmdb;

import io.millrace.spi.StoreFactory;
import org.junit.jupiter.api.Tag;

/** {@link BackupTest} with a log. */
@Tag("slow")
class LoggedBackupTest extends BackupTest {

  @Override
  StoreFactory factory() {
    return new LmdbLogFactory();
  }
}
