package io.millrace.model;

/** {@link HistoryModelTest} on a simulated disk that loses power. */
final class FaultyHistoryModelTest extends HistoryModelTest {

  FaultyHistoryModelTest() {
    super(StoreKind.FAULTY);
  }
}
