package io.millrace.internal.state;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The memory for the fronts of all lines, and what is forgotten when it is short. */
final class WindowRoom {

  /** The part of the windows' memory that is there beside it for what is known of light jobs. */
  private static final int LIGHT_FRACTION = 8;

  private final WindowBudget windows;
  private final WindowBudget lights;
  private final Collection<QueueState> queues;

  /**
   * Creates room of which nothing is taken yet.
   *
   * @param queues the queues that take of it, in the order of their use, the least recently used
   *     first
   */
  WindowRoom(long bytesMax, Collection<QueueState> queues) {
    this.windows = new WindowBudget(bytesMax);
    this.lights = new WindowBudget(bytesMax / LIGHT_FRACTION);
    this.queues = queues;
  }

  /** Returns the memory for the windows of all queues. */
  WindowBudget windows() {
    return windows;
  }

  /** Returns the memory for what is known of light jobs and of jobs that are put aside. */
  WindowBudget lights() {
    return lights;
  }

  long bytesUsed() {
    return windows.bytesUsed();
  }

  boolean isExceeded() {
    return windows.isExceeded();
  }

  /**
   * Makes room: the windows of the least recently used queues go first, those of the given queue
   * stay. Makes some more than is needed, since it looks at many queues.
   */
  void makeFor(QueueState used) {
    if (windows.isExceeded() && windows.bytesUsed() != used.windowBytes()) {
      make(windows, List.of(used), QueueState::unloadWindows);
    }
  }

  /**
   * Makes room for what is known of light jobs. All queues of a claim keep theirs, even beyond the
   * memory there is: if one had to make room for another, a claim that goes on from batch to batch
   * would begin anew for ever.
   */
  void makeForLights(List<QueueState> used) {
    if (lights.isExceeded()
        && lights.bytesUsed() != used.stream().mapToLong(QueueState::lightBytes).sum()) {
      make(lights, used, QueueState::forgetLights);
    }
  }

  private void make(WindowBudget scarce, List<QueueState> used, Consumer<QueueState> unloading) {
    Set<QueueState> kept = new HashSet<>(used);
    for (QueueState queue : queues) {
      if (scarce.hasRoom()) {
        return;
      }
      if (!kept.contains(queue)) {
        unloading.accept(queue);
      }
    }
  }
}
