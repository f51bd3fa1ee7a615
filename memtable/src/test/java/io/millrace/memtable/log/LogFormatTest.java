package io.millrace.memtable.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.FormatVersionException;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes of a file, as docs/FORMAT.md has them. */
class LogFormatTest {

  private static final long ROUND = 0x0123_4567_89AB_CDEEL;

  private static final String HEADER =
      "4d494c4c524c4f47" // magic
          + "0000000000000007" // sequence
          + "0000000000000003" // epoch
          + "0000000000000029" // number of the batch before
          + "0123456789abcdee" // round
          + "00000001" // format
          + "03b61aac"; // CRC

  private static final String FIRST =
      "89abcdef" // tag: the lower half of the round, with its last bit set
          + "00000048" // length
          + "000000000000002a" // number
          + "0000000000000029" // durable
          + "0000000000000029" // number before
          + "03b61aac" // CRC of the header
          + "00000002" // count
          + ("0003" + "00000005" + "6b6579" + "76616c7565") // put key, value
          + ("0004" + "ffffffff" + "676f6e65") // delete gone
          + "00000000" // up to a multiple of 8
          + "8a24e20c"; // CRC

  private static final String SECOND =
      "89abcdef"
          + "00000038"
          + "000000000000002b"
          + "000000000000002a"
          + "000000000000002a"
          + "8a24e20c" // CRC of the record before
          + "00000001"
          + ("0001" + "00000000" + "6b") // put k, no bytes
          + "0000000000"
          + "9437fe5d";

  @TempDir Path folder;

  @Test
  void read_fileWrittenByHand_isTheBatches() throws IOException {
    Files.write(folder.resolve("log-5"), HexFormat.of().parseHex(HEADER + FIRST + SECOND));

    LogRig.Read read = new LogRig(folder).read(41);

    assertThat(read.batches()).containsExactly("42 +6b6579=76616c7565 -676f6e65", "43 +6b=");
    assertThat(read.replay().lastEpoch()).isEqualTo(3);
    assertThat(read.replay().sequence()).isEqualTo(7);
  }

  @Test
  void decode_deletedKeyIsLongerThanTheRecord_isNone() {
    byte[] record = new byte[LogRecord.OPERATIONS_OFFSET + 16];
    ByteBuffer fields = ByteBuffer.wrap(record);
    fields.putLong(LogRecord.NUMBER_OFFSET, 1);
    fields.putInt(LogRecord.COUNT_OFFSET, 1);
    fields.putShort(LogRecord.OPERATIONS_OFFSET, (short) 7);
    fields.putInt(LogRecord.OPERATIONS_OFFSET + Short.BYTES, LogRecord.DELETE);

    assertThat(LogRecord.decode(fields)).isNull();
  }

  @Test
  void decode_batchIsNotBehindTheOneBefore_isNone() {
    ByteBuffer fields = ByteBuffer.wrap(new byte[LogRecord.OPERATIONS_OFFSET + 8]);
    fields.putLong(LogRecord.NUMBER_OFFSET, 5);
    fields.putLong(LogRecord.BEFORE_OFFSET, 4);
    assertThat(LogRecord.decode(fields)).isNotNull();

    fields.putLong(LogRecord.BEFORE_OFFSET, 5);
    assertThat(LogRecord.decode(fields)).isNull();
  }

  @Test
  void write_theSameBatches_areTheBytesWrittenByHand() throws IOException {
    // The file before it gives it its place in the order.
    Files.write(folder.resolve("log-1"), new LogHeader(6, 2, 9, 1).encode());
    LogReplay replay = LogReplay.read(folder, 41, 0, LostCommits.REFUSE, (epoch, batch) -> {});

    try (FolderLog log = FolderLog.begin(replay, 3, LogRig.SIZES, () -> ROUND)) {
      WriteBatch first = new WriteBatch(42);
      first.put(ascii("key"), ascii("value"));
      first.delete(ascii("gone"));
      log.append(first);
      log.sync();
      WriteBatch second = new WriteBatch(43);
      second.put(ascii("k"), new byte[0]);
      log.append(second);
    }

    byte[] expected = HexFormat.of().parseHex(HEADER + FIRST + SECOND);
    byte[] written = Files.readAllBytes(folder.resolve("log-1"));
    assertThat(written).startsWith(expected).hasSize((int) LogRig.SIZES.least());
    assertThat(Arrays.copyOfRange(written, expected.length, written.length)).containsOnly(0);
  }

  @Test
  void read_newerFormat_isRefused() throws IOException {
    byte[] header = HexFormat.of().parseHex(HEADER);
    ByteBuffer fields = ByteBuffer.wrap(header).putInt(40, 2);
    CRC32C crc = new CRC32C();
    crc.update(header, 0, 44);
    fields.putInt(44, (int) crc.getValue());
    Files.write(folder.resolve("log-0"), header);

    assertThatThrownBy(() -> new LogRig(folder).read(0))
        .isInstanceOf(FormatVersionException.class)
        .hasMessage(
            "log is of a newer format, open it with a newer version: file="
                + folder.resolve("log-0")
                + ", format=2, known=1");
  }

  @Test
  void write_anyBatches_areReadAsTheyWere() {
    long seed = Trials.seed();
    for (int i = 0; i < Trials.cases(20); i++) {
      Random random = new Random(seed + i);
      LogRig rig = new LogRig(folder.resolve("any-" + i));
      List<String> expected = new ArrayList<>();
      try (FolderLog log = rig.open(1, 0)) {
        for (int left = random.nextInt(20); left > 0; left--) {
          WriteBatch batch = any(log.lastNumber() + 1, random);
          log.append(batch);
          expected.add(LogRig.text(batch));
        }
      }

      assertThat(rig.read(0).batches()).as("seed %d", seed + i).isEqualTo(expected);
    }
  }

  private static WriteBatch any(long number, Random random) {
    WriteBatch batch = new WriteBatch(number);
    int longest = 1 << random.nextInt(16);
    for (int left = random.nextInt(1 << random.nextInt(8)); left > 0; left--) {
      byte[] key = new byte[1 + random.nextInt(random.nextInt(50) == 0 ? 65_535 : 30)];
      random.nextBytes(key);
      if (random.nextInt(5) == 0) {
        batch.delete(key);
      } else {
        byte[] value = new byte[random.nextInt(longest)];
        random.nextBytes(value);
        batch.put(key, value);
      }
    }
    return batch;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
