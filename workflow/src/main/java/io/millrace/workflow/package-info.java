/**
 * Durable steps inside one job: the answer of a step is kept in the job's checkpoint, and when the
 * job runs again the step is not done again.
 *
 * <p>Depends on {@link io.millrace.worker.JobContext} alone. A workflow runs on the thread of its
 * handler.
 */
@NullMarked
package io.millrace.workflow;

import org.jspecify.annotations.NullMarked;
