package io.millrace.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class BatchBytesTest {

  @Test
  void of_putAndDeletion_isAsOnDisk() {
    WriteBatch batch = new WriteBatch(7);
    batch.put(new byte[] {0x0A, 0x0B}, new byte[] {0x01});
    batch.delete(new byte[] {0x0C});

    byte[] bytes = BatchBytes.of(batch, 3);

    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo(
            "0000000000000000" // sequence
                + "03000000" // operations
                + "01"
                + "020a0b"
                + "0101"
                + "00"
                + "010c"
                + "01"
                + "00"
                + "10"
                + "0000000000000003"
                + "0000000000000007");
  }

  @Test
  void of_lengthsAroundThoseOfAVarint_areReadBackByRocksDb(@TempDir Path folder) {
    List<Integer> lengths = List.of(0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152);
    WriteBatch batch = new WriteBatch(1);
    for (int i = 0; i < lengths.size(); i++) {
      batch.put(new byte[i + 1], filled(lengths.get(i)));
    }
    batch.put(new byte[127], filled(5));
    batch.put(new byte[128], filled(6));

    try (OrderedStore store = new RocksStoreFactory().open(StoreOptions.of(folder))) {
      store.write(batch);

      try (ReadView view = store.read()) {
        for (int i = 0; i < batch.size(); i++) {
          assertThat(view.get(batch.key(i))).isEqualTo(batch.value(i));
        }
      }
    }
  }

  private static byte[] filled(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) length);
    return bytes;
  }
}
