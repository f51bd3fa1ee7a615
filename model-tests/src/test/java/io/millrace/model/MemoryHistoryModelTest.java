package io.millrace.model;

/** {@link HistoryModelTest} on a store in memory. */
final class MemoryHistoryModelTest extends HistoryModelTest {

  MemoryHistoryModelTest() {
    super(StoreKind.MEMORY);
  }
}
