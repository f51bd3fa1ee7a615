/**
 * Rows in memory before a store: batches go into a log and a tree, and what many of them come to
 * goes into the store as one batch.
 *
 * <p>Depends on the SPI, and on {@code io.millrace.store.memory} for its trees. One thread of a
 * store, which folds, is the only one that writes to the store beneath.
 */
@NullMarked
package io.millrace.memtable;

import org.jspecify.annotations.NullMarked;
