/**
 * The reads of a store beside the engine's own work: pages of jobs, statistics, what holds a job,
 * and the comparison of everything with everything.
 *
 * <p>Depends on {@code io.millrace.api}, {@code io.millrace.spi}, {@code
 * io.millrace.internal.format} and {@code io.millrace.internal.explain} only, and writes nothing.
 * Any thread: every answer comes from a view of its own and keeps nothing.
 */
@NullMarked
package io.millrace.internal.read;

import org.jspecify.annotations.NullMarked;
