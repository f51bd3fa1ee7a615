package io.millrace.api;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Which dead jobs are meant: those that meet every condition given.
 *
 * @param errorContains text that the last error contains, in the same case
 * @param diedBefore died earlier than this
 * @param diedSince died at this instant or later
 */
public record DeadFilter(
    Optional<String> errorContains, Optional<Instant> diedBefore, Optional<Instant> diedSince) {

  /** All dead jobs. */
  public static final DeadFilter ALL =
      new DeadFilter(Optional.empty(), Optional.empty(), Optional.empty());

  public DeadFilter {
    Objects.requireNonNull(errorContains, "errorContains");
    diedBefore.ifPresent(value -> Limits.instant("diedBefore", value));
    diedSince.ifPresent(value -> Limits.instant("diedSince", value));
  }

  public DeadFilter withErrorContaining(String text) {
    return new DeadFilter(Optional.of(text), diedBefore, diedSince);
  }

  public DeadFilter withDiedBefore(Instant value) {
    return new DeadFilter(errorContains, Optional.of(value), diedSince);
  }

  public DeadFilter withDiedSince(Instant value) {
    return new DeadFilter(errorContains, diedBefore, Optional.of(value));
  }
}
