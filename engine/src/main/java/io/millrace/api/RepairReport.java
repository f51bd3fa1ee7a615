package io.millrace.api;

/**
 * The outcome of repairing a store.
 *
 * @param storeId the repaired copy's own id
 * @param epoch the repaired copy's epoch
 * @param queueCount the number of queues in the repaired copy
 * @param jobCount the number of jobs in the repaired copy
 * @param findingCount the number of faults that were found; 0 if the store was sound
 * @param setAsideCount the number of rows that were moved to quarantine, as they were found
 */
public record RepairReport(
    String storeId,
    long epoch,
    long queueCount,
    long jobCount,
    long findingCount,
    long setAsideCount) {

  /**
   * A fault that was found, and what was done about it.
   *
   * @param keyspace the kind of row
   * @param key the row's key in hexadecimal
   * @param finding what was wrong with the row
   * @param action what was done about it
   */
  public record Finding(String keyspace, String key, String finding, Action action) {}

  /** The actions of a repair on a fault. */
  public enum Action {
    /**
     * The row was moved to quarantine as it was found: nothing uses it any more, and nothing of it
     * is lost.
     */
    SET_ASIDE,
    /** The row was written anew from the contents of the records. */
    REBUILT,
    /** The row was left out: it said nothing that the records do not say. */
    DROPPED,
    /** The jobs go on with those values that could still be determined. */
    RECOVERED
  }

  /** Tells whether there was nothing to repair. */
  public boolean isSound() {
    return findingCount == 0;
  }
}
