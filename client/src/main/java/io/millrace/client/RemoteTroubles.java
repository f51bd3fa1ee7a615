package io.millrace.client;

import io.millrace.engine.noted.Troubles;
import io.millrace.protocol.Call;
import io.millrace.protocol.NotedCalls;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The troubles of this process's workers, which the server is told of: at once if they are news,
 * and then once a minute, since it may be another server. Nobody waits for that. Any thread.
 */
final class RemoteTroubles extends Troubles {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteTroubles.class);

  private static final long AGAIN_NS = TimeUnit.MINUTES.toNanos(1);
  private static final int TOLD_COUNT_MAX = 1_000;

  private final Calls calls;
  private final LongSupplier nowNs;

  /** The times when the server was told of each topic. Guarded by this object. */
  private final Map<String, Long> told = new HashMap<>();

  RemoteTroubles(Calls calls, LongSupplier nowNs) {
    super(nowNs);
    this.calls = calls;
    this.nowNs = nowNs;
  }

  @Override
  public synchronized boolean tell(String topic, String sentence, Duration silence) {
    boolean isNews = super.tell(topic, sentence, silence);
    long now = nowNs.getAsLong();
    Long before = told.get(topic);
    if (isNews || before == null || now - before >= AGAIN_NS) {
      if (told.size() >= TOLD_COUNT_MAX) {
        told.clear();
      }
      told.put(topic, now);
      send(new NotedCalls.TellTrouble(topic, sentence, silence));
    }
    return isNews;
  }

  @Override
  public synchronized void over(String topic) {
    super.over(topic);
    told.remove(topic);
    send(new NotedCalls.EndTrouble(topic));
  }

  private <C extends Call<A>, A> void send(C call) {
    calls
        .send(call)
        .whenComplete(
            (answer, thrown) -> {
              if (thrown != null) {
                LOG.debug("server was not told: {}", call, thrown);
              }
            });
  }
}
