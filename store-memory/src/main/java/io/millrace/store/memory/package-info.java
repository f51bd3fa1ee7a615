/**
 * A store in memory that is honest about keeping nothing: for tests, benchmarks and jobs that may
 * be lost.
 *
 * <p>Depends on the SPI alone and starts no thread. Its rows are an immutable tree; the writer
 * publishes the next one, readers hold whichever they began with.
 */
@NullMarked
package io.millrace.store.memory;

import org.jspecify.annotations.NullMarked;
