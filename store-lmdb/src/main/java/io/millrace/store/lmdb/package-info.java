/**
 * The store on LMDB: a memory-mapped B+ tree, copied on write, one flush a batch.
 *
 * <p>Depends on {@code io.millrace.spi}, lmdbjava and SLF4J. Native types never leave the package,
 * and native codes are translated in {@code LmdbErrors} alone. Starts no thread: what has to happen
 * now and then happens on the writer's.
 */
@NullMarked
package io.millrace.store.lmdb;

import org.jspecify.annotations.NullMarked;
