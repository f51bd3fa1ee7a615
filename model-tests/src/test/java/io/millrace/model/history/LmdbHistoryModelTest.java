package io.millrace.model.history;

import io.millrace.model.rig.StoreKind;

/** {@link HistoryModelTest} on LMDB. */
final class LmdbHistoryModelTest extends HistoryModelTest {

  LmdbHistoryModelTest() {
    super(StoreKind.LMDB);
  }
}
