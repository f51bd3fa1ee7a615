package io.millrace.model.history;

import io.millrace.model.rig.StoreKind;

/** {@link HistoryModelTest} on ROCKSDB. */
final class RocksHistoryModelTest extends HistoryModelTest {

  RocksHistoryModelTest() {
    super(StoreKind.ROCKSDB);
  }
}
