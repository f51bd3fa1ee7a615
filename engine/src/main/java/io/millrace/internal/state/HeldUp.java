package io.millrace.internal.state;

import io.millrace.api.QueueName;
import io.millrace.api.RateLimit;
import io.millrace.internal.format.EngineRate;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Queues whose claims take nothing from behind a heavy job that names a limit over all queues. If
 * another queue takes the token of that limit, they need not be held up for the job any longer.
 *
 * <p>A queue that is here but no longer held up is looked at once in vain.
 */
final class HeldUp {

  /** The most keys that are remembered; beyond that the key that was met first is forgotten. */
  private static final int KEYS_MAX = 65_536;

  private final Map<ByteBuffer, Map<QueueName, RateLimit>> byKey = new LinkedHashMap<>();

  /** Adds a queue that is held up by a job which names this limit. */
  void add(QueueName queue, EngineRate rate) {
    byKey
        .computeIfAbsent(ByteBuffer.wrap(rate.key()), first -> new LinkedHashMap<>())
        .put(queue, rate.limit());
    if (byKey.size() > KEYS_MAX) {
      Iterator<ByteBuffer> eldest = byKey.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  /**
   * Removes and returns the queues that were held up by jobs of the key, for those limits that the
   * predicate accepts.
   */
  List<QueueName> take(byte[] key, Predicate<RateLimit> isShut) {
    Map<QueueName, RateLimit> held = byKey.isEmpty() ? null : byKey.get(ByteBuffer.wrap(key));
    if (held == null) {
      return List.of();
    }
    List<QueueName> taken = new ArrayList<>();
    held.forEach(
        (queue, limit) -> {
          if (isShut.test(limit)) {
            taken.add(queue);
          }
        });
    taken.forEach(held::remove);
    if (held.isEmpty()) {
      byKey.remove(ByteBuffer.wrap(key));
    }
    return taken;
  }
}
