package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnKeysTest {

  private static final byte[] HOST = {'h', 'o'};

  @Test
  void key_isAsTheFormatSays() {
    assertThat(Bytes.hex(TurnKeys.key(HOST, 1, 258)))
        .isEqualTo("09" + "00000000" + "02686f" + "7e" + "0000000000000102");
  }

  @Test
  void parts_areThoseThatWerePut() {
    byte[] blocked = BlockedKeys.keyOfEngine(7, HOST, -128, Long.MAX_VALUE);

    byte[] turn = TurnKeys.ofBlocked(blocked);

    assertThat(TurnKeys.isTurn(turn)).isTrue();
    assertThat(TurnKeys.concurrencyKey(turn)).isEqualTo(HOST);
    assertThat(TurnKeys.priority(turn)).isEqualTo(-128);
    assertThat(TurnKeys.sequence(turn)).isEqualTo(Long.MAX_VALUE);
    assertThat(TurnKeys.slotKey(turn)).isEqualTo(SlotKeys.keyOfEngine(HOST));
    assertThat(TurnKeys.blockedKey(turn, 7)).isEqualTo(blocked);
    assertThat(SlotKeys.ofBlocked(blocked)).isEqualTo(SlotKeys.keyOfEngine(HOST));
  }

  @Test
  void keys_areInTheOrderOfPriorityAndThenOfSequenceBehindTheRowThatCounts() {
    byte[] slot = SlotKeys.keyOfEngine(HOST);
    List<byte[]> keys =
        List.of(
            slot,
            TurnKeys.key(HOST, 127, 9),
            TurnKeys.key(HOST, 0, 1),
            TurnKeys.key(HOST, 0, 2),
            TurnKeys.key(HOST, -128, 0),
            SlotKeys.keyOfEngine(new byte[] {'h', 'p'}));
    List<byte[]> sorted = new ArrayList<>(keys);

    sorted.sort(Arrays::compareUnsigned);

    assertThat(sorted).isEqualTo(keys);
    for (byte[] turn : keys.subList(1, 5)) {
      assertThat(Arrays.compareUnsigned(turn, TurnKeys.start(slot))).isNotNegative();
      assertThat(Arrays.compareUnsigned(turn, TurnKeys.end(slot))).isNegative();
    }
    assertThat(Arrays.compareUnsigned(slot, TurnKeys.start(slot))).isNegative();
    assertThat(TurnKeys.isTurn(slot)).isFalse();
  }

  @Test
  void key_cutOrLengthened_isCorrupt() {
    byte[] turn = TurnKeys.key(HOST, 0, 5);

    for (int length : new int[] {0, 5, turn.length - 1, turn.length + 1}) {
      byte[] other = Arrays.copyOf(turn, length);
      assertThat(TurnKeys.isTurn(other)).isFalse();
      assertThatThrownBy(() -> TurnKeys.sequence(other)).isInstanceOf(CorruptDataException.class);
    }
  }

  @Test
  void keyspace_knowsBothKindsOfRows() {
    byte[] turn = TurnKeys.key(HOST, 0, 5);
    byte[] slot = SlotKeys.keyOfEngine(HOST);

    assertThat(RowCheck.flaw(turn, new TurnRecord(3, 2).encode(turn))).isNull();
    assertThat(RowCheck.flaw(slot, new SlotRecord(1, 2, true).encode(slot))).isNull();
    assertThat(RowCheck.flaw(turn, new TurnRecord(3, 2).encode(slot))).isNotNull();
  }

  @Test
  void blockedKeyOfTheEngine_isApartFromThoseOfTheQueueAndBeforeThem() {
    byte[] ofEngine = BlockedKeys.keyOfEngine(7, HOST, 0, 5);
    byte[] ofQueue = BlockedKeys.key(7, HOST, 0, 5);

    assertThat(Bytes.hex(ofEngine))
        .isEqualTo("08" + "00000007" + "00" + "02686f" + "7f" + "0000000000000005");
    assertThat(BlockedKeys.isOfEngine(ofEngine)).isTrue();
    assertThat(BlockedKeys.isOfEngine(ofQueue)).isFalse();
    assertThat(BlockedKeys.concurrencyKey(ofEngine)).isEqualTo(HOST);
    assertThat(Arrays.compareUnsigned(ofEngine, BlockedKeys.startOfQueueKeys(7))).isNegative();
    assertThat(Arrays.compareUnsigned(ofQueue, BlockedKeys.startOfQueueKeys(7))).isNotNegative();
    assertThat(RowCheck.flaw(ofEngine)).isNull();
  }
}
