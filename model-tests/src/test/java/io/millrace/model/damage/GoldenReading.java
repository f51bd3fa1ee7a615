package io.millrace.model.damage;

import io.millrace.api.JobReader;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.model.rig.ManualClock;
import io.millrace.model.rig.Setup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at a golden store as it lies there and then through an engine, ten minutes after it was
 * made.
 */
final class GoldenReading {

  static final long OPENED_MS = GoldenStores.START_MS + 600_000;

  /** Heads what an engine makes of it. */
  static final String OPENED = "OPENED";

  /** Later than any process that made a golden store. */
  private static final long FIRST_PROCESS_MS = 1_000;

  private final ManualClock clock = new ManualClock(OPENED_MS, 0);
  private final StorePlace place;
  private int openings;

  GoldenReading(StorePlace place) {
    this.place = place;
  }

  ManualClock clock() {
    return clock;
  }

  StorePlace place() {
    return place;
  }

  /** Opens it as another process than those before. */
  JobEngine open() {
    Instant processStart = Instant.ofEpochMilli(FIRST_PROCESS_MS + openings++);
    return JobEngine.open(
        place.factory(), place.options(), Setup.DEFAULT.options(clock).processStart(processStart));
  }

  /** What is in it before anything of today has written to it. */
  List<String> inspected() {
    try (JobReader reader = JobEngine.inspect(place.factory(), place.options())) {
      return GoldenView.of(reader);
    }
  }

  /** What an engine makes of it. */
  List<String> opened() {
    try (JobEngine engine = open()) {
      clock.awaitSleeper();
      List<String> lines = new ArrayList<>(GoldenView.settings(engine));
      lines.addAll(GoldenView.of(engine));
      return lines;
    }
  }

  /** All of it, in the order in which it was looked at. */
  List<String> whole() {
    List<String> lines = new ArrayList<>();
    lines.add("INSPECTED");
    lines.addAll(inspected());
    lines.add(OPENED);
    lines.addAll(opened());
    return lines;
  }
}
