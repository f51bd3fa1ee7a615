package io.millrace.api;

/**
 * What a finished copy of a store holds.
 *
 * @param storeId the copy's own id
 * @param epoch the copy's epoch: no id and no lease token of its origin has one as high
 * @param rowCount rows that were copied
 * @param bytes length of their keys and values
 * @param leftOutCount damaged rows: they were left out, but for those that count concurrency keys
 */
public record CopyReport(
    String storeId, long epoch, long rowCount, long bytes, long leftOutCount) {}
