package io.millrace.api;

/**
 * A damaged row of a store, as it was found.
 *
 * @param keyspace the kind of row
 * @param key the row's key; the receiver's to keep
 * @param value the row's value; the receiver's to keep
 * @param reason what is wrong with the row
 */
public record CorruptRow(String keyspace, byte[] key, byte[] value, String reason) {}
