package io.millrace.api;

/** What holds when a call returns. */
public enum Durability {
  /**
   * The effect survives the death of the process. It is synced soon after and then survives power
   * loss, too.
   */
  BUFFERED,
  /** The effect survives power loss. */
  SYNCED
}
