package io.millrace.model.seeds;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.StoreCall;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The simulated machine with somebody who writes down every call of its stores and lets those go
 * wrong that are to. By whoever's turn it is.
 */
public final class TracedFactory implements StoreFactory {

  /** An opening of the store: what it found. */
  public record Opening(long epoch, long lastCommit) {}

  private final FaultyStore machine;
  private final TurnClock clock;
  private final Trace trace;
  private final List<StoreEvent> events = new ArrayList<>();
  private final List<Opening> openings = new ArrayList<>();
  private final List<Mishap> armed = new ArrayList<>();
  private final List<Mishap> happened = new ArrayList<>();
  private final Map<StoreCall, Integer> callCounts = new EnumMap<>(StoreCall.class);
  private Optional<TracedStore> store = Optional.empty();
  private long slowMs;

  public TracedFactory(FaultyStore machine, TurnClock clock, Trace trace) {
    this.machine = machine;
    this.clock = clock;
    this.trace = trace;
  }

  public FaultyStore machine() {
    return machine;
  }

  public Trace trace() {
    return trace;
  }

  /** Writes and syncs since {@link #begin}. */
  public List<StoreEvent> events() {
    return events;
  }

  /** Openings since {@link #begin}. */
  public List<Opening> openings() {
    return openings;
  }

  /** The mishaps that came to pass since {@link #begin}. */
  public List<Mishap> happened() {
    return happened;
  }

  /** Number of the newest batch in the store that is open. */
  public long lastCommit() {
    return store.orElseThrow().lastCommit();
  }

  /** Forgets what was, and lets these calls go wrong from now on. */
  public void begin(List<Mishap> mishaps) {
    events.clear();
    openings.clear();
    happened.clear();
    armed.clear();
    armed.addAll(mishaps);
    callCounts.clear();
    // A call that was refused for another reason has not used its mishap up.
    for (StoreCall call : StoreCall.values()) {
      machine.failNext(call, Fault.NONE);
    }
  }

  /** Nothing more goes wrong. */
  public void disarm() {
    armed.clear();
  }

  /** Ends the process as far as the store can see: nothing more gets through to it. */
  public void die() {
    store.ifPresent(TracedStore::die);
  }

  @Override
  public String scheme() {
    return machine.scheme();
  }

  @Override
  public OrderedStore open(StoreOptions options) {
    OrderedStore opened = machine.open(options);
    openings.add(new Opening(opened.epoch(), opened.lastCommit()));
    trace.add("open: epoch " + opened.epoch() + ", commit " + opened.lastCommit());
    TracedStore traced = new TracedStore(this, opened, clock);
    store = Optional.of(traced);
    return traced;
  }

  /** The mishap of the call that is about to be made; after a fatal one there is no other. */
  Optional<Mishap> nextMishap(StoreCall call) {
    if (happened.stream().anyMatch(mishap -> mishap.isFatal())) {
      return Optional.empty();
    }
    int index = callCounts.merge(call, 1, Integer::sum) - 1;
    Optional<Mishap> found =
        armed.stream()
            .filter(mishap -> mishap.call() == call && mishap.index() == index)
            .findFirst();
    found.ifPresent(
        mishap -> {
          armed.remove(mishap);
          happened.add(mishap);
          prepare(mishap);
        });
    return found;
  }

  private void prepare(Mishap mishap) {
    switch (mishap.kind()) {
      case FAILS_BEFORE -> machine.failNext(mishap.call(), Fault.BEFORE);
      case FAILS_IN_THE_MIDDLE -> machine.failNext(mishap.call(), Fault.UNKNOWN);
      case FAILS_AFTER -> machine.failNext(mishap.call(), Fault.AFTER);
      case FULL -> machine.failNext(mishap.call(), Fault.FULL);
      case SLOW -> {
        machine.onSlow(() -> beSlow(mishap.seconds()));
        machine.failNext(mishap.call(), Fault.SLOW);
      }
      case POWER_CUT_BEFORE -> machine.crash();
      case DEATH_BEFORE -> die();
      case POWER_CUT_AFTER, DEATH_AFTER -> {}
    }
  }

  private void beSlow(int seconds) {
    slowMs = 1_000L * seconds;
    clock.move(slowMs);
  }

  /** The call was refused for want of room: what else was to go wrong with it did not. */
  void refused(Mishap mishap) {
    if (mishap.kind() != Mishap.Kind.FULL) {
      happened.remove(mishap);
      machine.failNext(mishap.call(), Fault.NONE);
    }
  }

  /** What follows a call that itself went well. */
  void follow(Mishap mishap) {
    if (mishap.kind() == Mishap.Kind.POWER_CUT_AFTER) {
      machine.crash();
    } else if (mishap.kind() == Mishap.Kind.DEATH_AFTER) {
      die();
    }
  }

  /** How much time the call took that was made just now. */
  long takeSlowMs() {
    long taken = slowMs;
    slowMs = 0;
    return taken;
  }
}
