/**
 * Workers: they claim the jobs of queues, run the user's handlers for them, keep their leases, and
 * end them as the handlers say.
 *
 * <p>Stands on {@link io.millrace.api.JobQueues} alone, so that it works on whatever has queues.
 */
@NullMarked
package io.millrace.worker;

import org.jspecify.annotations.NullMarked;
