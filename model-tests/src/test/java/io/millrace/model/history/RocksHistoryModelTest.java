package io.millrace.model.history;

import io.millrace.model.rig.StoreKind;
import net.jqwik.api.Tag;

/** {@link HistoryModelTest} on ROCKSDB. */
@Tag("slow")
final class RocksHistoryModelTest extends HistoryModelTest {

  RocksHistoryModelTest() {
    super(StoreKind.ROCKSDB);
  }
}
