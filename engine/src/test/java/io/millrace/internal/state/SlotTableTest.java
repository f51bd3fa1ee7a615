package io.millrace.internal.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.QueueName;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import org.junit.jupiter.api.Test;

final class SlotTableTest {

  private static final SlotRecord NOBODY = new SlotRecord(0, 0);
  private static final QueueName MAIL = QueueName.of("mail");

  private final SlotTable slots = new SlotTable(2);

  private static byte[] key(String concurrencyKey) {
    return SlotKeys.key(1, concurrencyKey.getBytes(UTF_8));
  }

  private static SlotRef ref(String concurrencyKey) {
    return new SlotRef(key(concurrencyKey));
  }

  @Test
  void find_byWhoFoundItBefore_answersNothingThatWasForgotten() {
    SlotEntry first = slots.add(key("a"), NOBODY);
    SlotRef asked = ref("a");
    assertThat(slots.find(asked)).isSameAs(first);
    assertThat(slots.find(asked)).isSameAs(first);

    slots.forget();
    assertThat(slots.find(asked)).isNull();
    SlotEntry second = slots.add(key("a"), NOBODY);
    assertThat(slots.find(asked)).isSameAs(second);

    SlotEntry third = slots.add(key("a"), NOBODY);
    assertThat(slots.find(asked)).isSameAs(third);
  }

  @Test
  void commitBatch_moreThanAreKept_forgetsThoseUnusedForLongest() {
    slots.add(key("a"), NOBODY);
    SlotEntry second = slots.add(key("b"), NOBODY);
    slots.add(key("c"), NOBODY);
    SlotRef unused = ref("b");
    unused.setFound(second);
    assertThat(slots.find(ref("a"))).isNotNull();

    slots.commitBatch();

    assertThat(slots.find(unused)).isNull();
    assertThat(slots.find(ref("a"))).isNotNull();
    assertThat(slots.find(ref("c"))).isNotNull();
  }

  @Test
  void set_severalTimes_isOneChange() {
    SlotEntry slot = slots.add(key("a"), new SlotRecord(1, 2));

    slots.set(slot, 2, 1);
    slots.set(slot, 1, 2);

    assertThat(slots.changedCount()).isEqualTo(1);
    assertThat(slots.takeChanged()).containsExactly(slot);
    assertThat(slot.differsFromStored()).isFalse();
    assertThat(slots.takeChanged()).isEmpty();
  }

  @Test
  void hasNoRow_isKnownOnlyOfWhatWasReadOrStored() {
    SlotEntry slot = slots.add(key("a"), NOBODY);
    assertThat(slot.hasNoRow()).isTrue();

    slots.set(slot, 1, 0);
    assertThat(slot.differsFromStored()).isTrue();
    slot.markStored();
    assertThat(slot.differsFromStored()).isFalse();
    assertThat(slot.hasNoRow()).isFalse();

    slots.set(slot, 0, 0);
    slot.forgetStored();
    assertThat(slot.differsFromStored()).isTrue();
    assertThat(slot.hasNoRow()).isFalse();
  }

  @Test
  void forget_keepsWhatIsToBeWalkedOver() {
    slots.markFree(slots.add(key("a"), new SlotRecord(0, 1)));
    slots.noteRaised(MAIL);

    slots.forget();

    assertThat(slots.find(ref("a"))).isNull();
    assertThat(slots.hasFree()).isFalse();
    assertThat(slots.firstRaised()).isEqualTo(MAIL);
  }

  @Test
  void blockedFrom_followsWhoComesAndGoes() {
    byte[] part = "a".getBytes(UTF_8);
    SlotEntry slot = slots.add(key("a"), NOBODY);
    assertThat(slot.blockedFrom()).isEqualTo(BlockedKeys.start(1, part));
    byte[] first = BlockedKeys.key(1, part, 0, 5);
    byte[] second = BlockedKeys.key(1, part, 0, 6);
    byte[] urgent = BlockedKeys.key(1, part, 9, 7);

    slot.addBlocked(first);
    slot.addBlocked(second);
    slot.passBlocked(first);
    assertThat(slot.blockedFrom()).isEqualTo(Bytes.successor(first));

    slot.addBlocked(urgent);
    assertThat(slot.blockedFrom()).isEqualTo(urgent);
    assertThat(slot.added()).containsExactly(first, second, urgent);
  }

  @Test
  void commitBatch_usedSinceItWasGoneOver_hasASecondChance() {
    slots.add(key("a"), NOBODY);
    slots.add(key("b"), NOBODY);
    slots.find(ref("a"));
    slots.find(ref("b"));
    slots.add(key("c"), NOBODY);
    slots.commitBatch();
    assertThat(slots.ofQueue(1)).hasSize(2);

    slots.add(key("d"), NOBODY);
    slots.commitBatch();

    assertThat(slots.ofQueue(1)).extracting(SlotEntry::slotKey).contains(key("d"));
    assertThat(slots.ofQueue(1)).hasSize(2);
  }

  @Test
  void allBlocked_fewAreBlocked_areKnownInTheirOrder() {
    SlotEntry slot = slots.add(key("a"), NOBODY);
    byte[] first = BlockedKeys.key(1, "a".getBytes(UTF_8), 0, 5);
    byte[] urgent = BlockedKeys.key(1, "a".getBytes(UTF_8), 9, 7);
    block(slot, first);
    block(slot, urgent);
    assertThat(slot.allBlocked()).containsExactly(urgent, first);

    slot.unblock(urgent);
    slots.set(slot, 1, 1);

    assertThat(slot.allBlocked()).containsExactly(first);
  }

  @Test
  void allBlocked_manyAreOrWereThereBefore_isUnknownUntilAllHaveGone() {
    SlotEntry many = slots.add(key("a"), NOBODY);
    for (int sequence = 1; sequence <= 9; sequence++) {
      block(many, BlockedKeys.key(1, "a".getBytes(UTF_8), 0, sequence));
    }
    SlotEntry before = slots.add(key("b"), new SlotRecord(1, 1));
    block(before, BlockedKeys.key(1, "b".getBytes(UTF_8), 0, 9));
    assertThat(many.allBlocked()).isNull();
    assertThat(before.allBlocked()).isNull();

    slots.set(before, 1, 0);
    block(before, BlockedKeys.key(1, "b".getBytes(UTF_8), 0, 10));

    assertThat(before.allBlocked()).hasSize(1);
  }

  private void block(SlotEntry slot, byte[] key) {
    slot.block(key);
    slots.set(slot, slot.holders(), slot.blocked() + 1);
  }
}
