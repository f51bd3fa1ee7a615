/**
 * Engines whose world goes wrong while they work: disks that fail, are slow or full, processes that
 * are stopped, clocks that jump, memory that runs out, callers that are interrupted.
 *
 * <p>A {@link io.millrace.model.fault.Load} of many callers keeps an engine busy, and a {@link
 * io.millrace.model.fault.Ledger} of what they were told finds what must not be. Where the fault is
 * one of the machine's, the engine is in a process of its own.
 */
@NullMarked
package io.millrace.model.fault;

import org.jspecify.annotations.NullMarked;
