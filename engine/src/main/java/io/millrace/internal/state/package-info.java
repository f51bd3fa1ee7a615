/**
 * The working set: what the engine keeps in memory of the queues in use and of all leases.
 *
 * <p>Depends on the format. It has no threads and writes nothing, except into batches in the
 * making, and JFR events once their batch is stored. Everything here belongs to the commit loop's
 * thread, except for the few fields that say otherwise.
 */
@NullMarked
package io.millrace.internal.state;

import org.jspecify.annotations.NullMarked;
