/**
 * Leases: claims, what holders do with their jobs, the ends of leases that nobody holds, and leases
 * on whole queues. Depends on transition.queue and what that depends on. Runs on the commit loop's
 * thread.
 */
@NullMarked
package io.millrace.internal.transition.lease;

import org.jspecify.annotations.NullMarked;
