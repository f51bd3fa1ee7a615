/**
 * A log of batches in files that are written over: it makes them durable before the store beneath
 * has them.
 *
 * <p>Depends on the SPI alone, and knows no store.
 */
@NullMarked
package io.millrace.memtable.log;

import org.jspecify.annotations.NullMarked;
