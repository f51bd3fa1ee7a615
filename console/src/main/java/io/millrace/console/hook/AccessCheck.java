package io.millrace.console.hook;

import java.util.Optional;

/**
 * An application's own check of who may use the console, in place of tokens: by its session cookie,
 * say, or by a header that its proxy sets. Called for every request, by many threads at a time.
 */
@FunctionalInterface
public interface AccessCheck {

  /**
   * Returns who asks and what that visitor may do; empty to refuse the request. If it throws, the
   * request is refused, and that is logged.
   */
  Optional<Visitor> visitor(Incoming request);
}
