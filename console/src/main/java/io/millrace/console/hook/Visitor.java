package io.millrace.console.hook;

import java.util.Objects;

/**
 * A person or program that uses the console.
 *
 * @param name the name that the audit trail has
 * @param role what the visitor may do
 */
public record Visitor(String name, Role role) {

  public Visitor {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(role, "role");
  }
}
