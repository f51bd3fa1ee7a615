package io.millrace.internal.transition.queue;

import io.millrace.api.QueueSettings;

/** What of settings is about rate limits. */
final class RateLimits {

  private RateLimits() {}

  static boolean areSame(QueueSettings a, QueueSettings b) {
    return a.rateLimit().equals(b.rateLimit()) && a.rateLimitPerKey().equals(b.rateLimitPerKey());
  }
}
