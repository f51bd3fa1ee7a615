package io.millrace.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Meters that belong together and go together. Any thread.
 *
 * <p>A meter takes the place of one of the same name and tags that is there: it is that of an
 * engine or worker of before, and Micrometer would go on to ask that. Functions are held by their
 * meters, whose registry holds objects weakly.
 */
final class Meters implements AutoCloseable {

  /** The largest times of the buckets of timers. */
  private static final Duration[] LEVELS = {
    Duration.ofMillis(1),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(30),
    Duration.ofMinutes(1),
    Duration.ofMinutes(5),
    Duration.ofMinutes(30),
    Duration.ofHours(1),
  };

  private final MeterRegistry registry;
  private final Tags tags;
  private final Set<Meter> own =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
  private volatile boolean isClosed;

  /** Creates no meter yet; all that it will create have these tags. */
  Meters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  MeterRegistry registry() {
    return registry;
  }

  Meter gauge(
      String name, Tags of, @Nullable String unit, String description, DoubleSupplier value) {
    return added(
        id(name, of, Meter.Type.GAUGE),
        id ->
            Gauge.builder(id.getName(), value::getAsDouble)
                .tags(id.getTags())
                .baseUnit(unit)
                .description(description)
                .register(registry));
  }

  /** Adds a gauge of a time, in seconds. */
  Meter timeGauge(String name, Tags of, String description, DoubleSupplier seconds) {
    return added(
        id(name, of, Meter.Type.GAUGE),
        id ->
            TimeGauge.builder(id.getName(), seconds::getAsDouble, TimeUnit.SECONDS)
                .tags(id.getTags())
                .description(description)
                .register(registry));
  }

  Meter counter(String name, Tags of, String description, DoubleSupplier value) {
    return added(
        id(name, of, Meter.Type.COUNTER),
        id ->
            FunctionCounter.builder(id.getName(), value, held -> value.getAsDouble())
                .tags(id.getTags())
                .description(description)
                .register(registry));
  }

  /** Adds a timer whose count and sum, in nanoseconds, somebody else keeps. */
  Meter timer(String name, String description, LongSupplier count, LongSupplier sumNs) {
    return added(
        id(name, Tags.empty(), Meter.Type.TIMER),
        id ->
            FunctionTimer.builder(
                    id.getName(),
                    count,
                    held -> count.getAsLong(),
                    held -> sumNs.getAsLong(),
                    TimeUnit.NANOSECONDS)
                .tags(id.getTags())
                .description(description)
                .register(registry));
  }

  /** Adds a timer with a histogram. */
  Timer timer(String name, Tags of, String description) {
    return added(
        id(name, of, Meter.Type.TIMER),
        id ->
            Timer.builder(id.getName())
                .tags(id.getTags())
                .description(description)
                .serviceLevelObjectives(LEVELS)
                .register(registry));
  }

  private Meter.Id id(String name, Tags of, Meter.Type type) {
    return new Meter.Id(name, tags.and(of), null, null, type);
  }

  /** A maker of a meter of some kind. */
  @FunctionalInterface
  private interface Maker<M extends Meter> {
    M make(Meter.Id id);
  }

  private <M extends Meter> M added(Meter.Id id, Maker<M> maker) {
    registry.removeByPreFilterId(id);
    M meter = maker.make(id);
    own.add(meter);
    if (isClosed) { // meanwhile, by another thread
      remove(List.of(meter));
    }
    return meter;
  }

  /** Removes those of these meters that are in the registry still. */
  void remove(Collection<? extends Meter> gone) {
    Set<Meter> removed = Collections.newSetFromMap(new IdentityHashMap<>());
    removed.addAll(gone);
    own.removeAll(removed);
    List<Meter> there = new ArrayList<>(registry.getMeters());
    there.stream().filter(removed::contains).forEach(registry::remove);
  }

  /** Removes all meters, and those that are still to come. */
  @Override
  public void close() {
    isClosed = true;
    List<Meter> all;
    synchronized (own) {
      all = List.copyOf(own);
    }
    remove(all);
  }
}
