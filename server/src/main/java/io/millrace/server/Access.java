package io.millrace.server;

import io.millrace.options.Checks;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The tokens and what their holders may do. Any thread.
 *
 * @param accounts empty if everybody may do everything
 */
record Access(List<Account> accounts) {

  /** The fewest characters of a token: 128 bits in hexadecimal digits. */
  static final int TOKEN_LENGTH_MIN = 32;

  private static final String SCHEME = "Bearer ";

  /** A token's bytes, of which others are compared in constant time, and its roles. */
  record Account(byte[] token, Set<Role> roles) {

    static Account of(String token, Set<Role> roles) {
      byte[] bytes =
          Checks.text("token", token, TOKEN_LENGTH_MIN, 1_024).getBytes(StandardCharsets.UTF_8);
      if (roles.isEmpty()) {
        throw new IllegalArgumentException(
            "a token has no role: give one of " + EnumSet.allOf(Role.class));
      }
      return new Account(bytes, Set.copyOf(roles));
    }
  }

  /** Tells whether callers must send a token. */
  boolean isTokenNeeded() {
    return !accounts.isEmpty();
  }

  /**
   * Returns the roles of whoever sends this header {@code Authorization}; empty if its token is
   * unknown or missing.
   */
  Optional<Set<Role>> roles(Optional<String> header) {
    if (!isTokenNeeded()) {
      return Optional.of(EnumSet.allOf(Role.class));
    }
    if (header.isEmpty() || !header.get().startsWith(SCHEME)) {
      return Optional.empty();
    }
    byte[] sent = header.get().substring(SCHEME.length()).getBytes(StandardCharsets.UTF_8);
    Optional<Set<Role>> found = Optional.empty();
    for (Account account : accounts) {
      if (MessageDigest.isEqual(account.token, sent)) {
        found = Optional.of(account.roles);
      }
    }
    return found;
  }
}
