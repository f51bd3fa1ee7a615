package io.millrace.console.hook;

/** The rights of a visitor of the console. */
public enum Role {
  /** May look at everything. */
  READ,
  /** May look at everything and change it. */
  OPERATE;

  /** Tells whether this role has the rights of the other one. */
  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }
}
