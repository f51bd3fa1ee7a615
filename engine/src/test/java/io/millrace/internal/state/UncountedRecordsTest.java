package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.format.ReadyKeys;
import org.junit.jupiter.api.Test;

final class UncountedRecordsTest {

  private final UncountedRecords records = new UncountedRecords();

  private static byte[] key(int queue, long sequence) {
    return ReadyKeys.key(queue, 0, sequence);
  }

  @Test
  void remove_onceAdded_isAnsweredOnce() {
    records.add(key(1, 7));

    assertThat(records.remove(key(1, 8))).isFalse();
    assertThat(records.remove(key(1, 7))).isTrue();
    assertThat(records.remove(key(1, 7))).isFalse();
  }

  @Test
  void clear_ofAQueue_leavesThoseOfOthers() {
    records.add(key(1, 7));
    records.add(key(2, 7));

    records.clear(1);

    assertThat(records.remove(key(1, 7))).isFalse();
    assertThat(records.remove(key(2, 7))).isTrue();
  }

  @Test
  void add_moreThanAreKept_leavesTheOthersOut() {
    for (int i = 0; i <= 65_536; i++) {
      records.add(key(1, i));
    }

    assertThat(records.remove(key(1, 65_535))).isTrue();
    assertThat(records.remove(key(1, 65_536))).isFalse();
  }
}
