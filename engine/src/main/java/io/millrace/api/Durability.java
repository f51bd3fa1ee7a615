package io.millrace.api;

/**
 * The guarantee that holds for a change when its call returns. The engine's options set it, unless
 * the call goes through a view of the engine, queue or lease that was made with another one.
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
