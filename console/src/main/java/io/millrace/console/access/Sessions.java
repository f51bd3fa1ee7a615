package io.millrace.console.access;

import io.millrace.console.hook.Visitor;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The sessions of a console, in memory: a restart ends them all. Any thread may use it. */
final class Sessions {

  static final Duration LENGTH = Duration.ofHours(12);

  private static final int COUNT_MAX = 1_000;
  private static final int SECRET_BYTES = 32;

  private final SecureRandom random = new SecureRandom();
  private final LongSupplier clockNs;

  /** Sessions by id, in the order in which they began, so that the oldest one makes room. */
  private final Map<String, Session> sessions = new LinkedHashMap<>();

  Sessions(LongSupplier clockNs) {
    this.clockNs = clockNs;
  }

  /** Begins a session; if there are {@value #COUNT_MAX}, the oldest one ends. */
  synchronized Session begin(Visitor visitor) {
    long nowNs = clockNs.getAsLong();
    sessions.values().removeIf(session -> session.isOver(nowNs));
    if (sessions.size() >= COUNT_MAX) {
      sessions.remove(sessions.keySet().iterator().next());
    }
    Session session = new Session(secret(), secret(), visitor, nowNs + LENGTH.toNanos());
    sessions.put(session.id(), session);
    return session;
  }

  synchronized Optional<Session> get(String id) {
    return Optional.ofNullable(sessions.get(id))
        .filter(session -> !session.isOver(clockNs.getAsLong()));
  }

  synchronized void end(Session session) {
    sessions.remove(session.id());
  }

  /** Returns a text that nobody guesses. */
  String secret() {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
