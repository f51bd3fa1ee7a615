/**
 * The working set: what the engine keeps in memory of the queues in use and of all leases.
 *
 * <p>Depends on the format. No threads, and nothing is written but into batches in the making, and
 * for JFR when they are stored: everything here belongs to the commit loop's thread, except for the
 * few fields that say otherwise.
 */
@NullMarked
package io.millrace.internal.state;

import org.jspecify.annotations.NullMarked;
