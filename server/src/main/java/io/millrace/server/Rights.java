package io.millrace.server;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The rights of a caller.
 *
 * @param queues the queues for which he has them; empty if for all, and what belongs to none
 */
record Rights(Set<Role> roles, Optional<Set<QueuePattern>> queues) {

  /** All that there are. */
  static final Rights ALL = new Rights(EnumSet.allOf(Role.class), Optional.empty());
}
