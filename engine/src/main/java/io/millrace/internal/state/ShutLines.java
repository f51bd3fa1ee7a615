package io.millrace.internal.state;

import io.millrace.api.RateLimit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What was put aside of all lines of a queue ({@link ShutKeys}). */
public final class ShutLines {

  private final List<ReadyWindow> windows;

  ShutLines(List<ReadyWindow> windows) {
    this.windows = windows;
  }

  /** What was put aside by another limit of concurrency keys than this is forgotten. */
  public void check(Optional<RateLimit> perKey) {
    for (int i = 0; i < windows.size(); i++) {
      ShutKeys shut = windows.get(i).shut();
      if (shut != null && !isOf(shut, perKey)) {
        windows.get(i).forgetShut();
      }
    }
  }

  private static boolean isOf(ShutKeys shut, Optional<RateLimit> perKey) {
    return perKey.equals(Optional.ofNullable(shut.limit()));
  }

  /**
   * Until when so many ready jobs are all passed over, for their keys have no token; long ago if
   * not all are.
   */
  long allUntilMs(long readyCount, Optional<RateLimit> perKey) {
    long shutCount = 0;
    long untilMs = ShutKeys.NEVER;
    for (int i = 0; i < windows.size(); i++) {
      ShutKeys shut = windows.get(i).shut();
      if (shut != null && isOf(shut, perKey)) {
        shutCount += shut.shutCount();
        untilMs = Math.min(untilMs, shut.opensAtMs());
      }
    }
    return shutCount > 0 && shutCount == readyCount ? untilMs : Long.MIN_VALUE;
  }

  /**
   * When the first key may have a token whose jobs are passed over by now; {@link ShutKeys#NEVER}
   * if none are. Always later than now, also if lines were not looked at.
   */
  public long untilMs(long nowMs) {
    long untilMs = ShutKeys.NEVER;
    for (int i = 0; i < windows.size(); i++) {
      ShutKeys shut = windows.get(i).shut();
      untilMs = shut == null ? untilMs : Math.min(untilMs, shut.opensAtMs(nowMs));
    }
    return untilMs;
  }

  /** Whether any job was put aside. */
  boolean isEmpty() {
    for (int i = 0; i < windows.size(); i++) {
      if (windows.get(i).shut() != null) {
        return false;
      }
    }
    return true;
  }

  /** A concurrency key of the queue may have a token before its time. */
  void reopen(byte[] slotKey) {
    forEach(shut -> shut.reopen(slotKey));
  }

  /** A key of the engine may have a token before its time. */
  void reopenOfEngine(byte[] key) {
    forEach(shut -> shut.reopenOfEngine(key));
  }

  private void forEach(Consumer<ShutKeys> action) {
    for (int i = 0; i < windows.size(); i++) {
      ShutKeys shut = windows.get(i).shut();
      if (shut != null) {
        action.accept(shut);
      }
    }
  }
}
