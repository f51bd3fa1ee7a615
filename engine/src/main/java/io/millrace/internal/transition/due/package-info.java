/**
 * Work that comes due by itself: delayed jobs, times to live, ends of retention, queues that
 * nothing uses. Depends on transition.queue and what that depends on. Runs on the commit loop's
 * thread.
 */
@NullMarked
package io.millrace.internal.transition.due;

import org.jspecify.annotations.NullMarked;
