/**
 * What every request does to a job: (state, request, now) to mutations and a result. Here is what
 * all transitions are made of; they themselves are in the packages below, by what they are about.
 *
 * <p>A transition reads and checks first, then changes memory and batch; nothing throws in between.
 * No I/O but point reads and bounded scans of the batch laid over a view. Depends on state and
 * format. Runs on the commit loop's thread.
 */
@NullMarked
package io.millrace.internal.transition;

import org.jspecify.annotations.NullMarked;
