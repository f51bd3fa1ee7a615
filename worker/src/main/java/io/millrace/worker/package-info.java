/**
 * Workers: they claim the jobs of queues, run the user's handlers for them, keep their leases, and
 * end them as the handlers say.
 *
 * <p>Depends on {@link io.millrace.api.JobQueues}, so that it works on whatever has queues. Of the
 * engine it uses the part that shows a worker by JMX beside its engine, where there is one.
 */
@NullMarked
package io.millrace.worker;

import org.jspecify.annotations.NullMarked;
