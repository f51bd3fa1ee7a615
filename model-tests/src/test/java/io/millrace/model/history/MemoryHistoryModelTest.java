package io.millrace.model.history;

import io.millrace.model.rig.StoreKind;

/** {@link HistoryModelTest} on a store in memory. */
final class MemoryHistoryModelTest extends HistoryModelTest {

  MemoryHistoryModelTest() {
    super(StoreKind.MEMORY);
  }
}
