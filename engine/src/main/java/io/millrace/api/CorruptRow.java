package io.millrace.api;

/**
 * A damaged row of a store, as it was found.
 *
 * @param keyspace the kind of row
 * @param key its key; the receiver's to keep
 * @param value its value; the receiver's to keep
 * @param reason what is wrong with it
 */
public record CorruptRow(String keyspace, byte[] key, byte[] value, String reason) {}
