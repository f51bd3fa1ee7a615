package io.millrace.model.history;

import io.millrace.model.rig.StoreKind;
import net.jqwik.api.Tag;

/** {@link HistoryModelTest} on a simulated disk that loses power. */
@Tag("slow")
final class FaultyHistoryModelTest extends HistoryModelTest {

  FaultyHistoryModelTest() {
    super(StoreKind.FAULTY);
  }
}
