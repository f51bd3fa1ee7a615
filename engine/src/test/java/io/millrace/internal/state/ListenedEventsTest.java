package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobEvent;
import io.millrace.api.QueueStats.Total;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ListenedEventsTest {

  private static final Set<Total> REMOVALS = EnumSet.of(Total.DELETED, Total.SWEPT, Total.PURGED);

  @ParameterizedTest
  @EnumSource
  void kind_ofEachTotal_hasItsNameOrIsARemoval(Total total) {
    JobEvent.Kind kind = ListenedEvents.kind(total);

    assertThat(kind.name()).isEqualTo(REMOVALS.contains(total) ? "REMOVED" : total.name());
  }
}
