package io.millrace.internal.state;

import java.util.ArrayList;
import java.util.List;

/**
 * What the batch under way has changed in memory that the store cannot be asked for again. If the
 * batch never happens, all of it is taken back, the last change first.
 */
public final class UndoLog {

  private final List<Runnable> undos = new ArrayList<>();

  /** Something was changed: how to take it back. */
  public void add(Runnable undo) {
    undos.add(undo);
  }

  /** The batch never happened. If this fails in between, it can go on where it stopped. */
  void undo() {
    while (!undos.isEmpty()) {
      undos.remove(undos.size() - 1).run();
    }
  }

  /** From here on, nothing of before is taken back. */
  void clear() {
    undos.clear();
  }
}
