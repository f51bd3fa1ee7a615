package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import java.util.Arrays;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobSearchTest {

  private static final int QUEUE = 7;
  private static final int[] PRIORITIES = {9, 0};

  private final TreeMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);

  private byte[] ready(int priority, long sequence, long birth) {
    byte[] key = ReadyKeys.key(QUEUE, priority, sequence);
    rows.put(key, JobRecord.builder().birth(birth).priority(priority).build().encode(key));
    return key;
  }

  private byte @Nullable [] place(long birth) {
    return JobSearch.place(rows::get, QUEUE, birth, PRIORITIES);
  }

  private byte @Nullable [] first(byte[] startInclusive, byte[] endExclusive) {
    byte[] first = rows.ceilingKey(startInclusive);
    return first == null || Arrays.compareUnsigned(first, endExclusive) >= 0 ? null : first;
  }

  @Test
  void place_jobWhereItWasBorn_isThere() {
    byte[] key = ready(0, 5, 5);

    assertThat(place(5)).isEqualTo(key);
    assertThat(place(6)).isNull();
  }

  @Test
  void place_anotherJobAtTheSameSequence_isPassedOver() {
    ready(9, 5, 4);
    byte[] key = ready(0, 5, 5);

    assertThat(place(5)).isEqualTo(key);
  }

  @Test
  void place_recordCannotBeRead_isWhereItIs() {
    byte[] key = ready(0, 5, 5);
    rows.put(key, new byte[] {1});

    assertThat(place(5)).isEqualTo(key);
  }

  @Test
  void place_movedJob_isWhereItsRowLeads() {
    byte[] key = DeadKeys.key(QUEUE, 1, 5);
    byte[] movedKey = MovedKeys.key(QUEUE, 5);
    rows.put(movedKey, new MovedRecord(key).encode(movedKey));

    assertThat(place(5)).isEqualTo(key);
  }

  @Test
  void place_movedRowCannotBeRead_isTold() {
    rows.put(MovedKeys.key(QUEUE, 5), new byte[] {1});

    assertThatThrownBy(() -> place(5)).isInstanceOf(CorruptDataException.class);
  }

  @Test
  void priorities_ofAQueue_areThoseInUseTheHighestFirst() {
    ready(-128, 1, 1);
    ready(0, 2, 2);
    ready(0, 3, 3);
    ready(127, 4, 4);
    rows.put(ReadyKeys.key(QUEUE + 1, 5, 9), new byte[0]);
    rows.put(Bytes.successor(ReadyKeys.key(QUEUE, 3, 9)), new byte[0]);

    assertThat(JobSearch.priorities(this::first, QUEUE)).containsExactly(127, 0, -128);
    assertThat(JobSearch.priorities(this::first, QUEUE - 1)).isEmpty();
  }
}
