package io.millrace.internal.transition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.format.Keyspace;
import io.millrace.internal.state.TableNames;
import io.millrace.internal.transition.table.ChangeRows;
import io.millrace.internal.transition.table.DropTable;
import io.millrace.internal.transition.table.EmptyDroppedTable;
import io.millrace.internal.transition.table.RowChange;
import io.millrace.internal.transition.table.Tables;
import io.millrace.spi.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Changes of users' tables: what they write, and what is left if a batch never happens. */
class ChangeRowsTest {

  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final byte[] VALUE = "value".getBytes(UTF_8);

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private static ChangeRows put() {
    return new ChangeRows("t", RowChange.put(KEY, VALUE));
  }

  private static ChangeRows delete() {
    return new ChangeRows("t", RowChange.delete(KEY));
  }

  private long incarnation() {
    long[] found = {Tables.NONE};
    rig.look(batch -> found[0] = Tables.find(batch, "t"));
    return found[0];
  }

  @Test
  void put_ofAKnownTable_writesOneRowAndReadsNone() {
    rig.apply(put());
    assertThat(rig.rowCount(Keyspace.TABLE)).isEqualTo(2);

    rig.apply(new ChangeRows("t", RowChange.put(new byte[0], VALUE)));

    assertThat(rig.lastPuts()).isEqualTo("[TABLE]");
    assertThat(rig.rowCount(Keyspace.TABLE)).isEqualTo(3);
  }

  @Test
  void carryOut_whatWasKnownIsForgottenSinceItWasJudged_readsNothing() {
    rig.apply(put());
    long[] rowsRead = {0};
    try (ReadView view = new CountingView(rig.store.read(), rowsRead)) {
      OpenBatch batch = rig.begin(view);
      Plan<?> known = delete().check(batch);
      Plan<?> made = new ChangeRows("new", RowChange.put(KEY, VALUE)).check(batch);
      Plan<?> again = new ChangeRows("new", RowChange.delete(KEY)).check(batch);
      long readToJudge = rowsRead[0];
      for (int i = 1; i <= 10_001; i++) {
        rig.state.tables().know("other " + i, i);
      }

      List<Object> outcomes =
          List.of(known.carryOut(batch), made.carryOut(batch), again.carryOut(batch));

      assertThat(outcomes.toString()).doesNotContain("isChanged=false");
      assertThat(rowsRead[0]).isEqualTo(readToJudge);
    }
  }

  @Test
  void conditions_thatAreNotMet_writeNothing() {
    rig.apply(put());
    List<RowChange> changes =
        List.of(
            RowChange.putIfAbsent(KEY, KEY),
            RowChange.replace(KEY, KEY, KEY),
            RowChange.deleteIf(KEY, KEY),
            RowChange.delete(VALUE));

    for (RowChange change : changes) {
      assertThat(rig.apply(new ChangeRows("t", change)).get(0).isChanged()).isFalse();
      assertThat(rig.lastOperations()).isEmpty();
    }
  }

  @Test
  void table_madeInABatchThatNeverHappens_isNot() {
    rig.applyInVain(put());

    assertThat(incarnation()).isEqualTo(Tables.NONE);
    assertThat(rig.rowCount(Keyspace.TABLE)).isZero();
    assertThat(rig.apply(delete()).get(0).isChanged()).isFalse();
    rig.apply(put());
    assertThat(rig.apply(delete()).get(0).isChanged()).isTrue();
  }

  @Test
  void table_droppedInABatchThatNeverHappens_isAsItWas() {
    rig.apply(put());
    long before = incarnation();

    rig.applyInVain(new DropTable("t"), put());

    assertThat(incarnation()).isEqualTo(before);
    assertThat(rig.state.tables().anyDropped()).isNull();
    assertThat(rig.apply(delete()).get(0).isChanged()).isTrue();
  }

  @Test
  void dropAndPut_inOneBatch_leaveTheNewTableAlone() {
    rig.apply(put());
    long before = incarnation();

    rig.applyWithoutRows(new DropTable("t"), new ChangeRows("t", RowChange.put(VALUE, KEY)));

    assertThat(incarnation()).isGreaterThan(before);
    assertThat(rig.apply(delete()).get(0).isChanged()).isFalse();
    assertThat(rig.apply(new DropTable("none"))).isFalse();
  }

  @Test
  void emptyDropped_moreRowsThanAStep_goesOnWhereItStopped() {
    List<RowChange> changes = new ArrayList<>();
    for (int i = 0; i < 1_500; i++) {
      changes.add(RowChange.put(("row " + i).getBytes(UTF_8), VALUE));
    }
    rig.apply(new ChangeRows("t", changes));
    rig.apply(new DropTable("t"));
    rig.apply(put());
    TableNames.Dropped dropped = Objects.requireNonNull(rig.state.tables().anyDropped());

    Optional<byte[]> next = rig.apply(new EmptyDroppedTable(dropped, null));
    assertThat(next).isPresent();
    assertThat(rig.rowCount(Keyspace.TABLE)).isEqualTo(500 + 2 + 1);
    rig.applyInVain(new EmptyDroppedTable(dropped, next.get()));
    assertThat(rig.state.tables().isDropped(dropped)).isTrue();
    assertThat(rig.apply(new EmptyDroppedTable(dropped, next.get()))).isEmpty();

    assertThat(rig.rowCount(Keyspace.TABLE)).isEqualTo(2);
    assertThat(rig.state.tables().anyDropped()).isNull();
    assertThat(rig.apply(delete()).get(0).isChanged()).isTrue();
  }
}
