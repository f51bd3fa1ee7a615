/**
 * Operations on jobs that callers name by queue or id: enqueue, cancel, reschedule, update,
 * redrive, delete. Depends on transition.lease and what that depends on. Runs on the commit loop's
 * thread.
 */
@NullMarked
package io.millrace.internal.transition.job;

import org.jspecify.annotations.NullMarked;
