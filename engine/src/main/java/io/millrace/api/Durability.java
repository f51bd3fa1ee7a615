package io.millrace.api;

/**
 * What holds when a call returns: what the engine's options say, or what the view of the engine,
 * queue or lease says that it was made through.
 */
public enum Durability {
  /**
   * The effect survives the death of the process. It is synced soon after and then survives power
   * loss, too.
   */
  BUFFERED,
  /** The effect survives power loss. */
  SYNCED
}
