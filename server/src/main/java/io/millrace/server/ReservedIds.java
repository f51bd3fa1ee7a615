package io.millrace.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The ids that callers were told for jobs and batches of their transactions and that none has used:
 * no job gets the id of another. Those that were told longest ago are forgotten if there are too
 * many. Any thread.
 */
final class ReservedIds {

  private static final int COUNT_MAX = 1_000_000;

  private final Set<Object> unused = new LinkedHashSet<>();

  /** Keeps ids that were told. */
  synchronized void add(Collection<?> ids) {
    unused.addAll(ids);
    var oldest = unused.iterator();
    while (unused.size() > COUNT_MAX) {
      oldest.next();
      oldest.remove();
    }
  }

  /** Takes the ids for a transaction. Takes none if one of them is not there. */
  synchronized boolean take(List<?> ids) {
    List<Object> taken = new ArrayList<>(ids.size());
    for (Object id : ids) {
      if (!unused.remove(id)) {
        unused.addAll(taken);
        return false;
      }
      taken.add(id);
    }
    return true;
  }
}
