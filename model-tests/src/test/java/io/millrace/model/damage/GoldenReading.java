package io.millrace.model.damage;

import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.JobReader;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.ManualClock;
import io.millrace.model.rig.Setup;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
  private final LeasesAtOpen leasesAtOpen;
  private int openings;

  GoldenReading(StorePlace place) {
    this(place, LeasesAtOpen.RECLAIM);
  }

  GoldenReading(StorePlace place, LeasesAtOpen leasesAtOpen) {
    this.place = place;
    this.leasesAtOpen = leasesAtOpen;
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
    Setup setup = Setup.DEFAULT.withLeasesAtOpen(leasesAtOpen);
    return JobEngine.open(
        place.factory(),
        place.options(),
        setup.options(clock).forTests(tests -> tests.processStart(processStart)));
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

  /** The keyspace's rows, as they lie there. */
  Map<ByteBuffer, byte[]> rows(Keyspace keyspace) {
    Map<ByteBuffer, byte[]> rows = new LinkedHashMap<>();
    StoreOptions options = place.options().access(Access.READ_ONLY);
    try (OrderedStore store = place.factory().open(options);
        ReadView view = store.read()) {
      view.scan(
          keyspace.start(),
          keyspace.end(),
          Integer.MAX_VALUE,
          (key, value) -> {
            rows.put(ByteBuffer.wrap(key), value);
            return true;
          });
    }
    return rows;
  }
}
