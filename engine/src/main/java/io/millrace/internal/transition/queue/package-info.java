/**
 * Queues as a whole: loading them into memory, the times when they must be looked at, and what
 * operators do with them. Depends on transition.move and what that depends on. Runs on the commit
 * loop's thread.
 */
@NullMarked
package io.millrace.internal.transition.queue;

import org.jspecify.annotations.NullMarked;
