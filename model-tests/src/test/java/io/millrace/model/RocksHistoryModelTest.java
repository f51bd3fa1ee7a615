package io.millrace.model;

import io.millrace.model.rig.StoreKind;

/** {@link HistoryModelTest} on ROCKSDB. */
final class RocksHistoryModelTest extends HistoryModelTest {

  RocksHistoryModelTest() {
    super(StoreKind.ROCKSDB);
  }
}
