/**
 * The contract between the engine and a store: byte strings in order, atomic numbered batches,
 * snapshot reads.
 *
 * <p>Knows nothing of jobs and depends on the JDK and the root of all exceptions alone. One thread
 * writes; any thread reads.
 */
@NullMarked
package io.millrace.spi;

import org.jspecify.annotations.NullMarked;
