package io.millrace.console.hook;

import java.time.Instant;
import java.util.Map;

/**
 * An action that a visitor of the console asked for.
 *
 * @param at the time when it was over
 * @param visitor the name of the visitor
 * @param remote the address that the request came from; empty if it is not known
 * @param action the name of the action, such as {@code job.cancel}
 * @param parameters what it was asked to act on, several values with commas between them; of a
 *     payload its length
 * @param outcome what came of it, in words
 */
public record AuditEntry(
    Instant at,
    String visitor,
    String remote,
    String action,
    Map<String, String> parameters,
    String outcome) {

  public AuditEntry {
    parameters = Map.copyOf(parameters);
  }
}
