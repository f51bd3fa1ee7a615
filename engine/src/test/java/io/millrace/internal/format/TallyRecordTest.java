package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.format.TallyRecord.Condition;
import io.millrace.internal.format.TallyRecord.Count;
import io.millrace.internal.format.TallyRecord.Waiter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TallyRecordTest extends RecordContractTest<TallyRecord> {

  private static final String KEY = "14 10 6d696c6c726163652e74616c6c696573 0000080000000007";

  @Override
  List<Golden<TallyRecord>> golden() {
    long[] counts = TallyRecord.noCounts();
    counts[Count.LEFT.ordinal()] = 3;
    counts[Count.SUCCEEDED.ordinal()] = 300;
    counts[Count.LOST.ordinal()] = 1;
    return List.of(
        new Golden<>(KEY, "01 68d790fe 0105 01 39a49268", tally("", 0)),
        new Golden<>(
            KEY,
            "01 a948cb5c 0157 01 beece8ae 0106 696d706f7274 020103 0307 0103 03ac02 0801"
                + " 040d 00000002 0000080000000009 03 0504 01 02 ac02 0606 080000000004"
                + " 0704 240c8400 0806 018bcfe56800 0906 018bcfe56801 0a06 018bcfe56802 0b01 02",
            new TallyRecord(
                "import",
                TallyRecord.SEALED | TallyRecord.CANCELLED,
                counts,
                List.of(new Waiter(2, (1L << 43) + 9, Condition.ANY_DIED)),
                List.of(1, 2, 300),
                (1L << 43) + 4,
                604_800_000L,
                1_700_000_000_000L,
                1_700_000_000_001L,
                1_700_000_000_002L,
                Count.DEAD)));
  }

  private static TallyRecord tally(String name, int flags) {
    return new TallyRecord(
        name, flags, TallyRecord.noCounts(), List.of(), List.of(), 0, 0, 0, 0, 0, Count.LEFT);
  }

  @Override
  Row<TallyRecord> sample(Samples samples) {
    List<Waiter> waiters = new ArrayList<>();
    for (int i = samples.below(17); i > 0; i--) {
      Condition condition = Condition.values()[samples.below(Condition.values().length)];
      waiters.add(new Waiter(samples.integer(), samples.number(), condition));
    }
    List<Integer> queues = new ArrayList<>();
    for (int i = samples.below(TallyRecord.QUEUE_COUNT_MAX + 1); i > 0; i--) {
      queues.add(samples.integer());
    }
    long[] counts = TallyRecord.noCounts();
    for (int i = 0; i < counts.length; i++) {
      counts[i] = samples.flag() ? samples.number() : 0;
    }
    return new Row<>(
        TallyKeys.key(samples.number()),
        new TallyRecord(
            samples.text(),
            samples.below(4),
            counts,
            waiters,
            queues,
            samples.number(),
            samples.number(),
            samples.number(),
            samples.number(),
            samples.number(),
            Count.values()[samples.below(Count.values().length)]));
  }

  @Override
  byte[] encode(byte[] key, TallyRecord record) {
    return record.encode(key);
  }

  @Override
  TallyRecord decode(byte[] key, byte[] value) {
    return TallyRecord.decode(key, value);
  }

  @Test
  void count_ofAKind_isThatOfItsPlace() {
    long[] counts = TallyRecord.noCounts();
    counts[Count.DEAD.ordinal()] = 5;

    TallyRecord tally =
        new TallyRecord("n", 0, counts, List.of(), List.of(), 0, 0, 0, 0, 0, Count.LEFT);

    assertThat(tally.count(Count.DEAD)).isEqualTo(5);
    assertThat(tally.count(Count.LEFT)).isZero();
  }

  @Test
  void is_flagThatIsSet_isTrueOfThatAlone() {
    TallyRecord tally = tally("n", TallyRecord.CANCELLED);

    assertThat(tally.is(TallyRecord.SEALED)).isFalse();
    assertThat(tally.is(TallyRecord.CANCELLED)).isTrue();
  }

  @Test
  void conditionOf_codeOfNone_isRefused() {
    for (int code : new int[] {-1, 0, 4}) {
      assertThatThrownBy(() -> Condition.of(code))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("condition is not known: code=" + code);
    }
    assertThat(Condition.of(2)).isEqualTo(Condition.ALL_SUCCEEDED);
  }

  @Test
  void decode_waiterCutShort_isCorrupt() {
    byte[] key = Samples.hex(KEY);
    byte[] content = sealed(key, Samples.hex("04 0c 00000001 0000080000000002"));
    byte[] value = new TableRecord(content).encode(key);

    assertThatThrownBy(() -> TallyRecord.decode(key, value))
        .hasMessageContaining("reason=field is too short: tag=4");
    assertThat(RowCheck.flaw(key, value)).contains("field is too short");
  }
}
