package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableKeysTest extends KeysContractTest<TableKeysTest.Parts> {

  record Parts(String table, byte[] part) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.TABLE;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "14 05 7573657273 0001",
        new Parts("users", new byte[] {0, 1}),
        "14 02 c3a9",
        new Parts("é", new byte[0]));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.text(), samples.part());
  }

  @Override
  byte[] key(Parts parts) {
    return TableKeys.key(parts.table(), parts.part());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(TableKeys.table(key), TableKeys.userKey(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparing(Parts::table, Samples::compareTexts)
        .thenComparing(Parts::part, Arrays::compareUnsigned);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "table",
            TableKeys.start(parts.table()),
            TableKeys.end(parts.table()),
            other -> other.table().equals(parts.table())));
  }

  @Override
  Tail tail() {
    return Tail.FREE;
  }

  @Test
  void key_ofTooLongPart_isRefused() {
    assertThatThrownBy(() -> TableKeys.key("t", new byte[256]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("table key is too long: bytes=256, most=255");
  }

  @Test
  void key_ofEmptyTable_isRefused() {
    assertThatThrownBy(() -> TableKeys.key("", new byte[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "table has a length out of range: value=\"\", UTF-8 bytes=0, least=1, most=200");
  }

  @Test
  void accessors_ofNameLongerThanKey_areCorrupt() {
    byte[] key = Samples.hex("14 05 75736572");

    assertThatThrownBy(() -> TableKeys.table(key))
        .hasMessageEndingWith("not a key of the keyspace");
    assertThatThrownBy(() -> TableKeys.userKey(key))
        .hasMessageEndingWith("not a key of the keyspace");
  }
}
