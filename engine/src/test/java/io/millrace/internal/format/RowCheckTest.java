package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RowCheckTest {

  @Test
  void flaw_ofKeysWithNegativeNumbers_isTold() {
    byte[] ofNoQueue = LeaseKeys.key(7, 1);
    ofNoQueue[1] = -1;
    byte[] ofNoSequence = LeaseKeys.key(7, 1);
    ofNoSequence[5] = -1;

    assertThat(RowCheck.flaw(LeaseKeys.key(7, 1))).isNull();
    assertThat(RowCheck.flaw(ofNoQueue)).endsWith("reason=key is of no queue");
    assertThat(RowCheck.flaw(ofNoSequence)).endsWith("reason=number is negative");
  }

  @Test
  void flaw_ofRows_isTold() {
    byte[] agenda = AgendaKeys.key(5, 7);
    byte[] foreign = {0x16};

    assertThat(RowCheck.flaw(agenda, new byte[0])).isNull();
    assertThat(RowCheck.flaw(agenda, new byte[1])).endsWith("reason=value is not empty");
    assertThat(RowCheck.flaw(foreign, new byte[0]))
        .isEqualTo("row is of no known keyspace: key=16");
  }
}
