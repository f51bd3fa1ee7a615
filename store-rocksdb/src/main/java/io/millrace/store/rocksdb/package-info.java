/**
 * The store on RocksDB: a log-structured merge tree, whose log is one append a batch.
 *
 * <p>Depends on {@code io.millrace.spi}, {@code io.millrace.memtable}, rocksdbjni and SLF4J. Native
 * types never leave the package, and native codes are translated in {@code RocksErrors} alone.
 * RocksDB flushes and compacts on threads of its own; ours is one short-lived thread while a full
 * store is compacted.
 */
@NullMarked
package io.millrace.store.rocksdb;

import org.jspecify.annotations.NullMarked;
