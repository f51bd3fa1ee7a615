package io.millrace.api;

/**
 * The contents of a finished copy of a store.
 *
 * @param storeId the copy's own id
 * @param epoch the copy's epoch, higher than that of any id or lease token of the original store
 * @param rowCount the number of rows that were copied
 * @param bytes the total length of their keys and values, in bytes
 * @param leftOutCount the number of damaged rows, which were left out, except for rows that count
 *     concurrency keys
 */
public record CopyReport(
    String storeId, long epoch, long rowCount, long bytes, long leftOutCount) {}
