package io.millrace.internal.state;

import java.util.ArrayList;
import java.util.List;

/**
 * The changes that the batch under way has made in memory and that cannot be read from the store.
 * If the batch never happens, all of them are taken back, the last change first.
 */
public final class UndoLog {

  private final List<Runnable> undos = new ArrayList<>();

  /** Adds the action that takes a change back. */
  public void add(Runnable undo) {
    undos.add(undo);
  }

  /**
   * Takes all changes back, since the batch never happened. If this fails in between, it can go on
   * where it stopped.
   */
  void undo() {
    while (!undos.isEmpty()) {
      undos.remove(undos.size() - 1).run();
    }
  }

  /** Forgets all changes, so that they are never taken back. */
  void clear() {
    undos.clear();
  }
}
