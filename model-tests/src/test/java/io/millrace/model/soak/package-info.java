/**
 * Long runs at a constant number of jobs, in a process of their own: what they take of time, disk
 * and memory must not grow with the number of jobs that have passed through.
 *
 * <p>On the public API alone.
 */
@NullMarked
package io.millrace.model.soak;

import org.jspecify.annotations.NullMarked;
