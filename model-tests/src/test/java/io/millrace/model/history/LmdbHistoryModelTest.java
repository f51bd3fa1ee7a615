package io.millrace.model.history;

import io.millrace.model.rig.StoreKind;
import net.jqwik.api.Tag;

/** {@link HistoryModelTest} on LMDB. */
@Tag("slow")
final class LmdbHistoryModelTest extends HistoryModelTest {

  LmdbHistoryModelTest() {
    super(StoreKind.LMDB);
  }
}
