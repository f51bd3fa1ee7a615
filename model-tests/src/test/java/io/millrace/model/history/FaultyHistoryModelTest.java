package io.millrace.model.history;

import io.millrace.model.rig.StoreKind;

/** {@link HistoryModelTest} on a simulated disk that loses power. */
final class FaultyHistoryModelTest extends HistoryModelTest {

  FaultyHistoryModelTest() {
    super(StoreKind.FAULTY);
  }
}
