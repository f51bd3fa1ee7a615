package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import io.millrace.spi.testkit.fault.Trials;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * What every layout of keys must keep.
 *
 * @param <P> the parts that a key is made of
 */
abstract class KeysContractTest<P> {

  private static final int SAMPLE_COUNT = Trials.cases(400);

  /** The smallest limit of any store. */
  private static final int KEY_BYTES_MAX = 511;

  /** A range and the keys that should be in it. */
  record Range<P>(String name, byte[] startInclusive, byte[] endExclusive, Predicate<P> member) {}

  /** Whether bytes may be cut from or put to the end of a key, and it is a key still. */
  enum Tail {
    FIXED,
    FREE
  }

  abstract Keyspace keyspace();

  /** Hexadecimal digits of keys and the parts they are made of. */
  abstract Map<String, P> golden();

  abstract P sample(Samples samples);

  abstract byte[] key(P parts);

  abstract P parts(byte[] key);

  abstract Comparator<P> order();

  abstract List<Range<P>> ranges(P parts);

  Tail tail() {
    return Tail.FIXED;
  }

  @Test
  void key_ofGoldenParts_isTheseBytes() {
    golden().forEach((hex, parts) -> assertThat(key(parts)).isEqualTo(Samples.hex(hex)));
  }

  @Test
  void accessors_ofGoldenBytes_areTheseParts() {
    golden().forEach((hex, parts) -> assertSame(parts(Samples.hex(hex)), parts));
  }

  @Test
  void accessors_ofAnyKey_areItsParts() {
    for (P parts : samples()) {
      assertSame(parts(key(parts)), parts);
    }
  }

  @Test
  void key_ofAnyParts_isInItsKeyspaceAndFitsEveryStore() {
    for (P parts : samples()) {
      byte[] key = key(parts);

      assertThat(Keyspace.ofKey(key)).isEqualTo(keyspace());
      assertThat(key.length).isLessThanOrEqualTo(KEY_BYTES_MAX);
      assertThat(isIn(key, keyspace().start(), keyspace().end())).isTrue();
    }
  }

  @Test
  void keyOrder_ofAnyTwo_isTheOrderOfTheirParts() {
    List<P> samples = samples();
    List<byte[]> keys = samples.stream().map(this::key).toList();

    for (int a = 0; a < keys.size(); a++) {
      for (int b = 0; b < a; b++) {
        int byKey = Integer.signum(Arrays.compareUnsigned(keys.get(a), keys.get(b)));
        int byParts = Integer.signum(order().compare(samples.get(a), samples.get(b)));
        if (byKey != byParts) {
          throw new AssertionError("order differs: " + samples.get(a) + " and " + samples.get(b));
        }
      }
    }
  }

  @Test
  void ranges_ofAnyParts_holdTheirKeysAndNoNeighbours() {
    List<P> samples = samples();
    List<byte[]> keys = samples.stream().map(this::key).toList();

    for (P parts : samples) {
      for (Range<P> range : ranges(parts)) {
        for (int i = 0; i < keys.size(); i++) {
          boolean isIn = isIn(keys.get(i), range.startInclusive(), range.endExclusive());
          if (isIn != range.member().test(samples.get(i))) {
            throw new AssertionError(
                range.name() + " of " + parts + ": is " + samples.get(i) + " in? " + isIn);
          }
        }
      }
    }
  }

  @Test
  void accessors_ofKeyOfAnotherKeyspace_areCorrupt() {
    for (P parts : golden().values()) {
      byte[] key = key(parts);
      key[0]++;

      assertCorrupt(key);
    }
  }

  @Test
  void accessors_ofCutOrLongerKey_areCorrupt() {
    if (tail() == Tail.FREE) {
      assertCorrupt(new byte[0]);
      assertCorrupt(keyspace().start());
      return;
    }
    for (P parts : golden().values()) {
      byte[] key = key(parts);
      for (int length = 0; length < key.length; length++) {
        assertCorrupt(Arrays.copyOf(key, length));
      }
      assertCorrupt(Bytes.successor(key));
    }
  }

  private void assertCorrupt(byte[] key) {
    assertThatThrownBy(() -> parts(key))
        .isInstanceOf(CorruptDataException.class)
        .hasMessage(
            "stored row is corrupt: keyspace=%s, key=%s, reason=not a key of the keyspace",
            keyspace(), Bytes.hex(key));
  }

  private void assertSame(P actual, P expected) {
    assertThat(actual).usingRecursiveComparison().isEqualTo(expected);
  }

  private List<P> samples() {
    Samples samples = new Samples(7);
    List<P> list = new ArrayList<>(golden().values());
    while (list.size() < SAMPLE_COUNT) {
      list.add(sample(samples));
    }
    return list;
  }

  private static boolean isIn(byte[] key, byte[] startInclusive, byte[] endExclusive) {
    return Arrays.compareUnsigned(key, startInclusive) >= 0
        && Arrays.compareUnsigned(key, endExclusive) < 0;
  }
}
