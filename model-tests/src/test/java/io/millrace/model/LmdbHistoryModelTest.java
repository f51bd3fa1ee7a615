package io.millrace.model;

/** {@link HistoryModelTest} on LMDB. */
final class LmdbHistoryModelTest extends HistoryModelTest {

  LmdbHistoryModelTest() {
    super(StoreKind.LMDB);
  }
}
