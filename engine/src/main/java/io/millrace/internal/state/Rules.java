package io.millrace.internal.state;

import io.millrace.api.Durability;
import io.millrace.internal.format.Incarnation;
import io.millrace.spi.StoreInfo;

/**
 * What holds for the whole life of the engine.
 *
 * @param durability what commits are worth when a request asks for nothing weaker
 * @param claimsWait whether every claim waits for its lease's own commit
 * @param sharing whether another owner may take the store over at any moment
 * @param leaseCountMax how many leases there may be
 * @param awaitCountMax how many waits for ends of jobs there may be
 * @param windowBytesMax memory for all ready windows
 * @param batch what the store takes at a time
 * @param broadcastStepMax how many waiting jobs a step of a broadcast looks at
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
   * Whether nothing that rests on owning the store may be answered unless a commit that was made
   * after the request confirms it.
   */
  public boolean isShared() {
    return sharing == StoreInfo.Sharing.SHARED;
  }
}
