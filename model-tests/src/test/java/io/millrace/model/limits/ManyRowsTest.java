package io.millrace.model.limits;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.Durability;
import io.millrace.api.JobQueue;
import io.millrace.api.Limits;
import io.millrace.api.Result;
import io.millrace.api.Table;
import io.millrace.api.TableRow;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rows of users' tables cost nobody who does not ask for them: with a million of them an opening
 * and the work of a queue read as much as without.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("slow")
class ManyRowsTest {

  private static final int ROW_COUNT = Trials.count("tableRows", 100_000, 1_000_000, 3_000_000);

  private static final byte[] VALUE = "a value of a row".getBytes(UTF_8);

  @TempDir Path folder;

  /** What was read of the store. */
  private record Reads(long count, long rowsVisited) {

    static Reads of(EngineHarness harness) {
      return new Reads(harness.store().readCount(), harness.store().rowsVisited());
    }

    Reads since(Reads before) {
      return new Reads(count - before.count, rowsVisited - before.rowsVisited);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = StoreKind.class,
      names = {"LMDB", "ROCKSDB"})
  void openingAndWork_besideAMillionRows_readAsMuchAsWithoutThem(StoreKind kind) {
    Setup setup = Setup.DEFAULT.withDurability(Durability.BUFFERED);
    try (EngineHarness harness = new EngineHarness(kind, folder.resolve("store"), setup)) {
      table(harness).put(-1L, VALUE);
      work(harness);
      Reads opening = openAgain(harness);
      Reads work = work(harness);
      fill(table(harness));

      assertThat(openAgain(harness)).isEqualTo(opening);
      assertThat(work(harness)).isEqualTo(work);
      assertThat(table(harness).count()).isEqualTo(ROW_COUNT + 1L);
      assertThat(table(harness).get(ROW_COUNT - 1L)).contains(VALUE);
    }
  }

  private static Table<Long, byte[]> table(EngineHarness harness) {
    return harness.engine().table("many", Codec.LONG, Codec.BYTES);
  }

  private static void fill(Table<Long, byte[]> table) {
    List<TableRow<Long, byte[]>> rows = new ArrayList<>();
    for (long i = 0; i < ROW_COUNT; i++) {
      rows.add(new TableRow<>(i, VALUE));
      if (rows.size() == Limits.CALL_ROW_COUNT_MAX || i == ROW_COUNT - 1L) {
        table.putAll(rows);
        rows.clear();
      }
    }
  }

  private static Reads openAgain(EngineHarness harness) {
    harness.restartCleanly();
    harness.awaitNothingDue();
    return Reads.of(harness);
  }

  /** Some jobs come and go. */
  private static Reads work(EngineHarness harness) {
    Reads before = Reads.of(harness);
    JobQueue mail = harness.engine().queue("mail");
    for (int i = 0; i < 10; i++) {
      mail.enqueue(new byte[] {(byte) i});
    }
    harness
        .engine()
        .completeAll(mail.claim(ClaimOptions.by("worker").max(10)))
        .forEach(Result::orThrow);
    return Reads.of(harness).since(before);
  }
}
