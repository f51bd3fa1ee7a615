package io.millrace.server;

import io.millrace.api.EngineClosedException;
import io.millrace.api.JobEvent;
import io.millrace.api.JobListening;
import io.millrace.api.JobQueues;
import io.millrace.options.Checks;
import io.millrace.protocol.ListenCalls.EndListen;
import io.millrace.protocol.ListenCalls.Listen;
import io.millrace.protocol.ListenCalls.NextEvents;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The listeners of callers, by names that only they know: a caller asks for the events that his
 * listener was told. Those about which nobody asks are ended by whoever calls, and by the next
 * event. Any thread.
 */
final class HeldListenings {

  private static final int ID_BYTES = 16;
  private static final long WALK_NS = TimeUnit.SECONDS.toNanos(1);

  private final SecureRandom random = new SecureRandom();
  private final LongSupplier nowNs;
  private final AtomicLong walkedNs;
  private final Map<String, HeldListening> byId = new ConcurrentHashMap<>();
  private volatile boolean isClosed;

  HeldListenings(LongSupplier nowNs) {
    this.nowNs = nowNs;
    this.walkedNs = new AtomicLong(nowNs.getAsLong());
  }

  /** Returns the handlers of the calls of listeners. */
  List<Handler<?, ?>> handlers() {
    return List.of(
        Handler.giving(Listen.class, Role.READ, this::listen, (queues, answer) -> end(answer.id())),
        Handler.waiting(
            NextEvents.class, Role.READ, (queues, call) -> next(call), Function.identity()),
        Handler.blocking(
            EndListen.class,
            Role.READ,
            (queues, call) -> {
              end(call.id());
              return new EndListen.Answer();
            }));
  }

  Listen.Answer listen(JobQueues queues, Listen call) {
    Checks.inRange("number of kinds", call.kinds().size(), 1, JobEvent.Kind.values().length);
    forgetUnasked(); // First, so that there is room for others.
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    HeldListening held = new HeldListening(call.queue(), call.kinds(), nowNs, this::forgetUnasked);
    JobListening listening =
        call.queue().isPresent()
            ? queues.listen(call.queue().get(), call.kinds(), held)
            : queues.listen(held);
    held.begun(listening);
    String name = HexFormat.of().formatHex(id);
    byId.put(name, held);
    if (isClosed) {
      end(name); // It may have come after the others were ended.
      throw new EngineClosedException("server is closed; nothing of this call happened");
    }
    return new Listen.Answer(name);
  }

  CompletableFuture<NextEvents.Answer> next(NextEvents call) {
    int most = call.most().orElse(NextEvents.COUNT_MAX);
    Checks.inRange("most", most, 0, NextEvents.COUNT_MAX);
    Checks.upTo("waiting", call.waiting(), NextEvents.WAITING_MAX);
    forgetUnasked();
    HeldListening held = byId.get(call.id());
    if (held == null) {
      throw new NoSuchListeningException();
    }
    return held.next(call.after(), most, call.waiting());
  }

  /** Returns the listening; empty if it has ended. */
  Optional<HeldListening> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  private void end(String id) {
    HeldListening held = byId.remove(id);
    if (held != null) {
      held.end();
    }
  }

  /** Walks over all listenings, once a second at most. */
  private void forgetUnasked() {
    long now = nowNs.getAsLong();
    long last = walkedNs.get();
    if (now - last >= WALK_NS && walkedNs.compareAndSet(last, now)) {
      byId.forEach(
          (id, held) -> {
            if (held.isForgotten(now)) {
              end(id);
            }
          });
    }
  }

  /** Returns how many listenings there are, for tests. */
  int count() {
    return byId.size();
  }

  /** Ends all listenings, and lets none begin. */
  void close() {
    isClosed = true;
    byId.keySet().forEach(this::end);
  }
}
