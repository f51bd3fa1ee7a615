package io.millrace.internal.state;

import io.millrace.api.RateLimit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The jobs of all lines of a queue that were put aside ({@link ShutKeys}). */
public final class ShutLines {

  private final List<ReadyWindow> windows;

  ShutLines(List<ReadyWindow> windows) {
    this.windows = windows;
  }

  /** Forgets the jobs that were put aside by another limit of concurrency keys than this. */
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
   * Returns until when all of so many ready jobs are passed over, since their keys have no token;
   * {@link Long#MIN_VALUE} if not all are.
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
   * Returns when the first key whose jobs are passed over by now may have a token; {@link
   * ShutKeys#NEVER} for none. Always later than now, even if lines were not looked at.
   */
  public long untilMs(long nowMs) {
    long untilMs = ShutKeys.NEVER;
    for (int i = 0; i < windows.size(); i++) {
      ShutKeys shut = windows.get(i).shut();
      untilMs = shut == null ? untilMs : Math.min(untilMs, shut.opensAtMs(nowMs));
    }
    return untilMs;
  }

  /** Tells whether no job was put aside. */
  boolean isEmpty() {
    for (int i = 0; i < windows.size(); i++) {
      if (windows.get(i).shut() != null) {
        return false;
      }
    }
    return true;
  }

  /** Opens the lines of a concurrency key of the queue, which may have a token before its time. */
  void reopen(byte[] slotKey) {
    forEach(shut -> shut.reopen(slotKey));
  }

  /** Opens the lines of a key of the engine, which may have a token before its time. */
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
