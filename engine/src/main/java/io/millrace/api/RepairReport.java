package io.millrace.api;

/**
 * What a repair made of a store.
 *
 * @param storeId the repaired copy's own id
 * @param epoch the repaired copy's epoch
 * @param queueCount queues in the repaired copy
 * @param jobCount jobs in the repaired copy
 * @param findingCount what was wrong; 0 if the store was sound
 * @param setAsideCount rows that were moved to quarantine, as they were found
 */
public record RepairReport(
    String storeId,
    long epoch,
    long queueCount,
    long jobCount,
    long findingCount,
    long setAsideCount) {

  /**
   * Something that was wrong, and what was done.
   *
   * @param keyspace the kind of row
   * @param key its key in hexadecimal
   * @param finding what was wrong with it
   * @param action what was done about it
   */
  public record Finding(String keyspace, String key, String finding, Action action) {}

  /** What a repair does about a finding. */
  public enum Action {
    /** Moved to quarantine as it was found: nothing uses it any more, and nothing of it is lost. */
    SET_ASIDE,
    /** Written anew from what the records say. */
    REBUILT,
    /** Left out: it said nothing that the records do not say. */
    DROPPED,
    /** The jobs go on under what could still be told of them. */
    RECOVERED
  }

  /** Whether there was nothing to repair. */
  public boolean isSound() {
    return findingCount == 0;
  }
}
