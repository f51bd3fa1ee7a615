package io.millrace.server;

import io.millrace.options.Checks;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tokens and what their holders may do. Any thread.
 *
 * @param accounts empty if everybody may do everything
 */
record Access(List<Account> accounts) {

  /** The fewest characters of a token: 128 bits in hexadecimal digits. */
  static final int TOKEN_LENGTH_MIN = 32;

  private static final String SCHEME = "Bearer ";

  /** A token's bytes, of which others are compared in constant time, and what it allows. */
  record Account(byte[] token, Rights rights) {

    static Account of(String token, Set<Role> roles, Optional<Collection<String>> queues) {
      byte[] bytes =
          Checks.text("token", token, TOKEN_LENGTH_MIN, 1_024).getBytes(StandardCharsets.UTF_8);
      if (roles.isEmpty()) {
        throw new IllegalArgumentException(
            "a token has no role: give one of " + EnumSet.allOf(Role.class));
      }
      if (queues.isPresent() && queues.get().isEmpty()) {
        throw new IllegalArgumentException("a token has no queue: give one, or leave queues out");
      }
      return new Account(
          bytes,
          new Rights(
              Set.copyOf(roles),
              queues.map(
                  texts ->
                      texts.stream()
                          .map(QueuePattern::of)
                          .collect(Collectors.toUnmodifiableSet()))));
    }
  }

  /** Tells whether callers must send a token. */
  boolean isTokenNeeded() {
    return !accounts.isEmpty();
  }

  /**
   * Returns what whoever sends this header {@code Authorization} may do; empty if its token is
   * unknown or missing.
   */
  Optional<Rights> rights(Optional<String> header) {
    if (!isTokenNeeded()) {
      return Optional.of(Rights.ALL);
    }
    if (header.isEmpty() || !header.get().startsWith(SCHEME)) {
      return Optional.empty();
    }
    byte[] sent = header.get().substring(SCHEME.length()).getBytes(StandardCharsets.UTF_8);
    Optional<Rights> found = Optional.empty();
    for (Account account : accounts) {
      if (MessageDigest.isEqual(account.token, sent)) {
        found = Optional.of(account.rights);
      }
    }
    return found;
  }
}
