package io.millrace.cli.console;

import io.millrace.cli.place.EngineTarget;
import io.millrace.cli.place.LiveWorker;
import io.millrace.console.http.RefusedException;

/** The way to the schedules of an engine in another process: any worker of it tells them all. */
final class EngineSchedules {

  private EngineSchedules() {}

  /**
   * Returns a worker of the engine.
   *
   * @throws RefusedException there is none
   */
  static LiveWorker of(EngineTarget engine) {
    return engine.workers().stream()
        .findFirst()
        .orElseThrow(
            () ->
                new RefusedException(
                    503,
                    "the schedules of another process are seen through a worker of their engine,"
                        + " and none runs there: pid="
                        + engine.pid()));
  }
}
