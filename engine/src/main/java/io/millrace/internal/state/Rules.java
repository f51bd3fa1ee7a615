package io.millrace.internal.state;

import io.millrace.api.Durability;
import io.millrace.internal.format.Incarnation;
import io.millrace.spi.StoreInfo;

/**
 * The settings that hold for the whole life of the engine.
 *
 * @param durability how durable commits are if a request asks for nothing weaker
 * @param claimsWait whether every claim waits for its lease's own commit
 * @param sharing whether another owner may take the store over at any moment
 * @param leaseCountMax the most leases
 * @param awaitCountMax the most waits for ends of jobs
 * @param windowBytesMax the memory for all ready windows, in bytes
 * @param batch the limits of one batch of the store
 * @param broadcastStepMax the most waiting jobs that a step of a broadcast looks at
 * @param incarnation the process that grants the leases
 */
public record Rules(
    Durability durability,
    boolean claimsWait,
    StoreInfo.Sharing sharing,
    int leaseCountMax,
    int awaitCountMax,
    long windowBytesMax,
    BatchLimits batch,
    int broadcastStepMax,
    Incarnation incarnation) {

  /**
   * Tells whether the store is shared: no answer that rests on owning it may be given unless a
   * commit that was made after the request confirms it.
   */
  public boolean isShared() {
    return sharing == StoreInfo.Sharing.SHARED;
  }
}
