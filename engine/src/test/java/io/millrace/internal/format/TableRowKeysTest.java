package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class TableRowKeysTest {

  private static byte[] bytes(String hex) {
    return HexFormat.ofDelimiter(" ").parseHex(hex);
  }

  @Test
  void key_ofARow_isAsTheDiagramSays() {
    byte[] key = TableRowKeys.key("tab", 0x0102L, new byte[] {(byte) 0xff, 0});

    assertThat(key).isEqualTo(bytes("14 03 74 61 62 00 00 00 00 00 00 01 02 ff 00"));
    assertThat(TableKeys.table(key)).isEqualTo("tab");
    assertThat(TableKeys.isOwn(key)).isFalse();
    assertThat(TableRowKeys.incarnation(key)).isEqualTo(0x0102);
    assertThat(TableRowKeys.userKey("tab", key)).isEqualTo(new byte[] {(byte) 0xff, 0});
    assertThat(RowCheck.flaw(key)).isNull();
  }

  @Test
  void ranges_ofIncarnations_holdTheirRowsAndNoOthers() {
    byte[] longest = new byte[255];
    Arrays.fill(longest, (byte) 0xff);
    byte[] start = TableRowKeys.start("t", 7);
    byte[] end = TableRowKeys.end("t", 7);

    for (byte[] key : new byte[][] {{}, {0}, longest}) {
      byte[] row = TableRowKeys.key("t", 7, key);
      assertThat(Arrays.compareUnsigned(start, row)).isNotPositive();
      assertThat(Arrays.compareUnsigned(row, end)).isNegative();
      assertThat(Arrays.compareUnsigned(TableRowKeys.key("t", 8, key), end)).isNotNegative();
      assertThat(Arrays.compareUnsigned(TableRowKeys.key("t", 6, key), start)).isNegative();
    }
    assertThat(Arrays.compareUnsigned(TableRowKeys.end("t", Long.MAX_VALUE), start)).isPositive();
    assertThat(TableRowKeys.key("t".repeat(200), 1, longest)).hasSize(RowBytes.TABLE_KEY);
  }

  @Test
  void key_thatIsTooShort_isOfNoIncarnation() {
    assertThat(TableRowKeys.incarnation(TableKeys.key("t", new byte[7]))).isNegative();
    assertThatThrownBy(() -> TableRowKeys.key("t", -1, new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> TableRowKeys.key("t", 1, new byte[256]))
        .hasMessage("table key is too long: bytes=256, most=255");
  }

  @Test
  void catalog_ofATable_isReadBackAndIsAsTheDiagramSays() {
    byte[] key = TableCatalog.key("tab");
    byte[] value = TableCatalog.encode(key, 0x0102);

    assertThat(key).isEqualTo(bytes("14 0f 6d 69 6c 6c 72 61 63 65 2e 74 61 62 6c 65 73 74 61 62"));
    assertThat(TableCatalog.isKey(key)).isTrue();
    assertThat(TableCatalog.isDroppedKey(key)).isFalse();
    assertThat(TableKeys.isOwn(key)).isTrue();
    assertThat(TableCatalog.table(key)).isEqualTo("tab");
    assertThat(TableCatalog.decode(key, value)).isEqualTo(0x0102);
    assertThat(RowCheck.flaw(key, value)).isNull();
    assertThatThrownBy(() -> TableCatalog.decode(TableCatalog.key("tac"), value))
        .isInstanceOf(CorruptDataException.class);
    assertThatThrownBy(() -> TableCatalog.decode(key, TableCatalog.encode(key, 0)))
        .hasMessageContaining("table has no incarnation");
    assertThat(TableCatalog.decodeOrNone(key, null)).isZero();
  }

  @Test
  void keysOfTheCatalog_whoseNamesAreNone_areNotTaken() {
    byte[] name = TableCatalog.key("tab");
    name[name.length - 1] = (byte) 0xff;
    byte[] dropped = TableCatalog.droppedKey("tab", 1);
    dropped[dropped.length - 1] = (byte) 0xff;
    byte[] own = TableCatalog.key("millrace.tables");
    byte[] nameless = TableKeys.key("millrace.dropped-tables", new byte[8]);

    assertThat(TableCatalog.isKey(name)).isFalse();
    assertThat(TableCatalog.isKey(own)).isFalse();
    assertThat(TableCatalog.isDroppedKey(dropped)).isFalse();
    assertThat(TableCatalog.isDroppedKey(nameless)).isFalse();
  }

  @Test
  void everyBitOfACatalogRow_thatFlips_isNoticed() {
    byte[] key = TableCatalog.key("tab");
    byte[] value = TableCatalog.encode(key, 0x0102);

    for (int bit = 0; bit < 8 * value.length; bit++) {
      byte[] damaged = value.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(RowCheck.flaw(key, damaged)).as("bit %d", bit).isNotNull();
    }
  }

  @Test
  void droppedRow_ofATable_saysItAllWithItsKey() {
    byte[] key = TableCatalog.droppedKey("tab", 0x0102);

    assertThat(TableCatalog.isDroppedKey(key)).isTrue();
    assertThat(TableCatalog.isKey(key)).isFalse();
    assertThat(TableCatalog.droppedTable(key)).isEqualTo("tab");
    assertThat(TableCatalog.droppedIncarnation(key)).isEqualTo(0x0102);
    assertThat(RowCheck.flaw(key, TableCatalog.encodeDropped(key))).isNull();
    assertThat(Arrays.compareUnsigned(TableCatalog.droppedStart(), key)).isNegative();
    assertThat(Arrays.compareUnsigned(key, TableCatalog.droppedEnd())).isNegative();
  }
}
