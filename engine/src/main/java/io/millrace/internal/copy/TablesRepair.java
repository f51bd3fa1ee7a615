package io.millrace.internal.copy;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.TableCatalog;
import io.millrace.internal.format.TableKeys;
import io.millrace.internal.format.TableRowKeys;
import io.millrace.internal.format.TallyKeys;
import org.jspecify.annotations.Nullable;

/**
 * The repair of rows of tables. Every sound row stays, and the catalog of users' tables follows
 * from them: of several incarnations of a name the highest is the table, unless it is known to have
 * been dropped, for only after a drop is there another. Tallies with damaged rows are left for an
 * engine to make anew.
 */
final class TablesRepair {

  private static final long NONE = -1;

  private final RepairStores stores;
  private String lastTable = "";
  private long lastIncarnation = NONE;

  TablesRepair(RepairStores stores) {
    this.stores = stores;
  }

  void repair(byte[] key, byte[] value) {
    String flaw = RowCheck.flaw(key, value);
    if (flaw != null) {
      damaged(key, value, flaw);
    } else if (!TableKeys.isOwn(key)) {
      usersRow(key, value);
    } else if (!TableCatalog.isKey(key) || !stores.target().has(key)) {
      // What was found out by rows of the table holds in place of what the row says.
      stores.target().put(key, value);
    }
  }

  private void damaged(byte[] key, byte[] value, String flaw) {
    if (RowCheck.flaw(key) == null && TableCatalog.isDroppedKey(key)) {
      stores.target().put(key, TableCatalog.encodeDropped(key));
      stores.log().rebuilt(key, flaw);
    } else if (TallyKeys.isDueKey(key)) {
      stores.target().put(key, TallyKeys.encodeDue(key));
      stores.log().rebuilt(key, flaw);
    } else {
      stores.log().setAside(key, value, flaw);
      recount(stores.target(), key);
    }
  }

  /** Lets the next engine make a tally anew whose row was damaged; does nothing for other rows. */
  static void recount(TargetRows target, byte[] key) {
    if (TallyKeys.isKey(key)) {
      byte[] recount = TallyKeys.recountKey(TallyKeys.number(key));
      target.put(recount, TallyKeys.encodeDue(recount));
      recountAll(target);
    }
  }

  /** Lets the next engine count all tallies anew. */
  static void recountAll(TargetRows target) {
    byte[] recount = TallyKeys.recountKey(0);
    target.put(recount, TallyKeys.encodeDue(recount));
  }

  private void usersRow(byte[] key, byte[] value) {
    String table = TableKeys.table(key);
    long incarnation = TableRowKeys.incarnation(key);
    if (incarnation < 0) {
      stores.log().setAside(key, value, "row is of no table that there can be");
      return;
    }
    if (incarnation != lastIncarnation || !table.equals(lastTable)) {
      lastTable = table;
      lastIncarnation = incarnation;
      place(table, incarnation);
    }
    stores.target().put(key, value);
  }

  /** Sees to it that the rows of the incarnation belong to a table, or are removed. */
  private void place(String table, long incarnation) {
    byte[] droppedKey = TableCatalog.droppedKey(table, incarnation);
    if (stores.source().get(droppedKey) != null) {
      return;
    }
    byte[] key = TableCatalog.key(table);
    byte[] found = stores.target().get(key);
    long known = decoded(key, found == null ? stores.source().get(key) : found);
    if (known > incarnation) {
      dropped(table, incarnation);
    } else if (known < incarnation) {
      if (known > 0) {
        dropped(table, known);
      }
      stores.target().put(key, TableCatalog.encode(key, incarnation));
      stores.log().rebuilt(key, "table has rows, but nothing says that there is one");
    }
  }

  private void dropped(String table, long incarnation) {
    byte[] key = TableCatalog.droppedKey(table, incarnation);
    stores.target().put(key, TableCatalog.encodeDropped(key));
    stores.log().rebuilt(key, "dropped table has rows, but nothing says that they are to go");
  }

  /** Returns the incarnation that the row tells; 0 if it tells none. */
  private static long decoded(byte[] key, byte @Nullable [] value) {
    try {
      return TableCatalog.decodeOrNone(key, value);
    } catch (CorruptDataException e) {
      return 0;
    }
  }
}
