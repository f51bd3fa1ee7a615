package io.millrace.engine;

import io.millrace.engine.noted.Troubles;
import io.millrace.internal.commit.DueWork;
import java.util.Optional;

/** Shows in the engine's health what others could not do; nothing of it is ever due. */
final class ToldTroubles implements DueWork {

  private final Troubles troubles;

  ToldTroubles(Troubles troubles) {
    this.troubles = troubles;
  }

  @Override
  public long waitNs(DueTime now) {
    return NEVER;
  }

  @Override
  public void step(DueTime now, Steps steps) {}

  @Override
  public void restart() {
    troubles.restarted();
  }

  @Override
  public Optional<String> warning() {
    return troubles.shown();
  }
}
