package io.millrace.client;

import io.millrace.calls.TransactionRows;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows that earlier calls of a transaction's function read, and what the server said they are
 * now: the next call need not ask for them again. Belongs to one thread.
 */
final class KnownRows implements TransactionRows.Others {

  private final Map<String, TreeMap<byte[], Optional<byte[]>>> rows = new HashMap<>(2);

  /** Keeps rows as they are now. */
  void learn(List<TransactionRows.Seen> now) {
    for (TransactionRows.Seen row : now) {
      rows.computeIfAbsent(row.table(), name -> new TreeMap<>(Arrays::compareUnsigned))
          .put(row.key(), row.value());
    }
  }

  void forget() {
    rows.clear();
  }

  @Override
  public @Nullable Optional<byte[]> beforeRead(String table, byte[] key) {
    TreeMap<byte[], Optional<byte[]>> ofTable = rows.get(table);
    return ofTable == null ? null : ofTable.get(key);
  }

  @Override
  public void beforeWrite(String table, byte[] key) {
    // Others do not wait for this transaction: the server finds out who was first.
  }

  @Override
  public void leave(String table, byte[] key, @Nullable Optional<byte[]> value) {
    // As above.
  }
}
