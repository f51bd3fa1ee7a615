package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyspaceTest {

  @Test
  void codes_areWhatIsOnDisk() {
    assertThat(
            Arrays.stream(Keyspace.values())
                .map(keyspace -> HexFormat.of().toHexDigits(keyspace.code()) + " " + keyspace))
        .containsExactly(
            "01 META",
            "02 QUEUE",
            "03 QUEUE_NAME",
            "04 COUNTERS",
            "05 QUARANTINE",
            "06 LEASE",
            "07 DELAYED",
            "08 BLOCKED",
            "09 SLOT",
            "0a WAITING",
            "0b SIGNAL",
            "0c DEAD",
            "0d DONE",
            "0e HISTORY",
            "0f TIMER",
            "10 AGENDA",
            "11 UNIQUE",
            "12 MOVED",
            "13 BLOB",
            "14 TABLE",
            "15 READY");
  }

  @Test
  void of_everyCode_isItsKeyspaceOrRefused() {
    for (int code = 0; code < 256; code++) {
      byte stored = (byte) code;
      List<Keyspace> expected =
          Arrays.stream(Keyspace.values()).filter(keyspace -> keyspace.code() == stored).toList();
      if (expected.isEmpty()) {
        assertThatThrownBy(() -> Keyspace.of(stored))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("keyspace code is not known: code=" + code);
      } else {
        assertThat(Keyspace.of(stored)).isEqualTo(expected.get(0));
      }
    }
  }

  @Test
  void ofKey_emptyKey_isRefused() {
    assertThatThrownBy(() -> Keyspace.ofKey(new byte[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("key is empty");
  }

  @Test
  void find_anyKey_isItsKeyspaceOrNone() {
    assertThat(Keyspace.find(new byte[0])).isNull();
    assertThat(Keyspace.find(new byte[] {0, 1})).isNull();
    assertThat(Keyspace.find(new byte[] {0x15, 1})).isEqualTo(Keyspace.READY);
    assertThat(Keyspace.find(new byte[] {0x16, 1})).isNull();
    assertThat(Keyspace.find(new byte[] {(byte) 0x80, 1})).isNull();
  }

  @Test
  void last_isReady_soThatNothingLiesBehindAQueue() {
    assertThat(Keyspace.last()).isEqualTo(Keyspace.READY);
  }

  @Test
  void bounds_ofEveryKeyspace_meetThoseOfTheNext() {
    Keyspace[] all = Keyspace.values();
    for (int i = 0; i < all.length; i++) {
      assertThat(all[i].start()).containsExactly(i + 1);
      assertThat(all[i].end()).containsExactly(i + 2);
    }
  }

  @Test
  void isOfJobs_isTrueWhereJobRecordsAre() {
    assertThat(Arrays.stream(Keyspace.values()).filter(Keyspace::isOfJobs))
        .containsExactly(
            Keyspace.DELAYED,
            Keyspace.BLOCKED,
            Keyspace.WAITING,
            Keyspace.DEAD,
            Keyspace.DONE,
            Keyspace.READY);
  }

  @Test
  void ofState_every_isTheOnlyKeyspaceThatTellsOfIt() {
    for (JobState state : JobState.values()) {
      assertThat(Arrays.stream(Keyspace.values()).filter(keyspace -> keyspace.state() == state))
          .containsExactly(Keyspace.of(state));
    }
    assertThat(Keyspace.of(JobState.LEASED)).isEqualTo(Keyspace.LEASE);
  }

  @Test
  void queue_ofAnyKey_isWhoseRowItIsOrNegative() {
    assertThat(Keyspace.queue(ReadyKeys.key(7, 0, 1))).isEqualTo(7);
    assertThat(Keyspace.queue(SlotKeys.key(7, new byte[2]))).isEqualTo(7);
    assertThat(Keyspace.queue(AgendaKeys.key(5, 7))).isEqualTo(7);
    assertThat(Keyspace.queue(TimerKeys.key(5, 7, TimerKeys.Kind.TIME_TO_LIVE, 1))).isEqualTo(7);
    assertThat(Keyspace.queue(QueueKeys.key(QueueName.of("mail")))).isNegative();
    assertThat(Keyspace.queue(MetaKeys.TIME)).isNegative();
    assertThat(Keyspace.queue(new byte[] {Keyspace.READY.code(), 0, 0, 0})).isNegative();
    assertThat(Keyspace.queue(new byte[] {0x16, 0, 0, 0, 7})).isNegative();
  }

  @Test
  void queueBounds_ofTheHighestNumber_holdItsKeys() {
    byte[] key = ReadyKeys.key(Integer.MAX_VALUE, -128, Long.MAX_VALUE);

    assertThat(Arrays.compareUnsigned(Keyspace.READY.queueStart(Integer.MAX_VALUE), key))
        .isNegative();
    assertThat(Arrays.compareUnsigned(Keyspace.READY.queueEnd(Integer.MAX_VALUE), key))
        .isPositive();
  }
}
