/**
 * A log of batches in files that are written over: it makes them durable before the store beneath
 * has them.
 *
 * <p>Depends on the SPI alone, and knows no store. A log is read, and begun, by any thread; then it
 * belongs to the one that appends, as {@code BatchLog} says. No file here is touched through a
 * {@code FileChannel}, which an interrupt of the calling thread would close.
 */
@NullMarked
package io.millrace.memtable.log;

import org.jspecify.annotations.NullMarked;
