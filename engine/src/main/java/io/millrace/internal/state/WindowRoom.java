package io.millrace.internal.state;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The memory for the fronts of all lines, and what is forgotten when it is short. */
final class WindowRoom {

  /** The part of the windows' memory that what is known of light jobs takes beside it. */
  private static final int LIGHT_FRACTION = 8;

  private final WindowBudget windows;
  private final WindowBudget lights;
  private final Collection<QueueState> queues;

  /**
   * Room that nothing is taken of yet.
   *
   * @param queues who takes of it, those first that were not used for longest
   */
  WindowRoom(long bytesMax, Collection<QueueState> queues) {
    this.windows = new WindowBudget(bytesMax);
    this.lights = new WindowBudget(bytesMax / LIGHT_FRACTION);
    this.queues = queues;
  }

  /** Memory for the windows of all queues. */
  WindowBudget windows() {
    return windows;
  }

  /** Memory for what is known of light jobs and of those that are passed over. */
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
   * Makes room: the windows of the queues that were not used for longest go first, those of the
   * given queue stay. Makes some more than is needed, for it looks at many queues.
   */
  void makeFor(QueueState used) {
    if (windows.isExceeded() && windows.bytesUsed() != used.windowBytes()) {
      make(windows, List.of(used), QueueState::unloadWindows);
    }
  }

  /**
   * As {@link #makeFor}, for what is known of light jobs. All queues of a claim keep theirs, even
   * beyond the memory there is: if one had to make room for another, a claim that goes on from
   * batch to batch would begin anew for ever.
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
