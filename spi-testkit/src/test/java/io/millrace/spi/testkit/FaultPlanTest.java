package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FaultPlanTest {

  @Test
  void random_manyCalls_keepsToTheRates() {
    FaultPlan plan = FaultPlan.random(42, new FaultRates(0.1, 0.1, 0.1, 0.1, 0.2));

    Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    for (int i = 0; i < 10_000; i++) {
      counts.merge(plan.faultAt(StoreCall.WRITE, i), 1, Integer::sum);
    }

    assertThat(counts.get(Fault.NONE)).isBetween(3_800, 4_200);
    assertThat(counts.get(Fault.SLOW)).isBetween(1_800, 2_200);
    assertThat(counts.get(Fault.BEFORE)).isBetween(850, 1_150);
    assertThat(counts.get(Fault.UNKNOWN)).isBetween(850, 1_150);
    assertThat(counts.get(Fault.AFTER)).isBetween(850, 1_150);
    assertThat(counts.get(Fault.FULL)).isBetween(850, 1_150);
  }

  @Test
  void random_writesAndSyncs_areIndependent() {
    FaultPlan plan = FaultPlan.random(42, new FaultRates(0.5, 0, 0, 0, 0));

    int sameCount = 0;
    for (int i = 0; i < 1_000; i++) {
      Fault write = plan.faultAt(StoreCall.WRITE, i);
      sameCount += write == plan.faultAt(StoreCall.SYNC, i) ? 1 : 0;
    }

    assertThat(sameCount).isBetween(400, 600);
  }

  @Test
  void or_bothHaveAFault_firstOneWins() {
    FaultPlan plan =
        FaultPlan.at(StoreCall.SYNC, 1, Fault.AFTER)
            .or((call, index) -> call == StoreCall.SYNC ? Fault.SLOW : Fault.NONE);

    assertThat(plan.faultAt(StoreCall.SYNC, 0)).isEqualTo(Fault.SLOW);
    assertThat(plan.faultAt(StoreCall.SYNC, 1)).isEqualTo(Fault.AFTER);
    assertThat(plan.faultAt(StoreCall.WRITE, 1)).isEqualTo(Fault.NONE);
  }

  @Test
  void rates_outOfRange_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FaultRates(-0.1, 0, 0, 0, 0))
        .withMessage("rate is not within 0..1: value=-0.1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FaultRates(0.5, 0.5, 0.5, 0, 0))
        .withMessage("rates add up to more than 1: sum=1.5");
  }
}
