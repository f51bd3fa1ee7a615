package io.millrace.model;

/** {@link HistoryModelTest} on ROCKSDB. */
final class RocksHistoryModelTest extends HistoryModelTest {

  RocksHistoryModelTest() {
    super(StoreKind.ROCKSDB);
  }
}
