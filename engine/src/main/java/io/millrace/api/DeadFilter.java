package io.millrace.api;

import io.millrace.options.Checks;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A filter of dead jobs: a job matches if it meets every condition given. Immutable: start from
 * {@link #ALL} and add conditions.
 */
public final class DeadFilter extends Options {

  /** A filter that matches all dead jobs. */
  public static final DeadFilter ALL = new DeadFilter();

  private Optional<String> errorContains = Optional.empty();
  private Optional<Instant> diedBefore = Optional.empty();
  private Optional<Instant> diedSince = Optional.empty();

  private DeadFilter() {}

  private DeadFilter(DeadFilter other) {
    errorContains = other.errorContains;
    diedBefore = other.diedBefore;
    diedSince = other.diedSince;
  }

  /**
   * Requires that the job's last error contains the text, in the same case.
   *
   * @throws IllegalArgumentException the text has not 1 to {@value Limits#ERROR_BYTES_MAX} bytes of
   *     UTF-8, or is not valid Unicode
   */
  public DeadFilter errorContains(String text) {
    DeadFilter changed = new DeadFilter(this);
    changed.errorContains =
        Optional.of(Checks.text("errorContains", text, 1, Limits.ERROR_BYTES_MAX));
    return changed;
  }

  /**
   * Requires that the job died earlier than this instant.
   *
   * @throws IllegalArgumentException the instant is not from 1970 to 9999
   */
  public DeadFilter diedBefore(Instant value) {
    DeadFilter changed = new DeadFilter(this);
    changed.diedBefore = Optional.of(Checks.instant("diedBefore", value));
    return changed;
  }

  /**
   * Requires that the job died at this instant or later.
   *
   * @throws IllegalArgumentException the instant is not from 1970 to 9999
   */
  public DeadFilter diedSince(Instant value) {
    DeadFilter changed = new DeadFilter(this);
    changed.diedSince = Optional.of(Checks.instant("diedSince", value));
    return changed;
  }

  public Optional<String> errorContains() {
    return errorContains;
  }

  public Optional<Instant> diedBefore() {
    return diedBefore;
  }

  public Optional<Instant> diedSince() {
    return diedSince;
  }

  @Override
  protected Map<String, Object> values() {
    return values("errorContains", errorContains, "diedBefore", diedBefore, "diedSince", diedSince);
  }
}
