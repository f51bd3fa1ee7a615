/**
 * The parts that transitions are made of: each takes (state, request, now) to mutations and a
 * result. The transitions themselves are in the packages below, by their subjects.
 *
 * <p>A transition reads and checks first, then changes memory and batch. Should a row that it needs
 * turn out to be unreadable in between, {@link io.millrace.internal.transition.HalfDoneException}
 * has the batch taken back and made again without it. No I/O but point reads and bounded scans of
 * the batch laid over a view. Depends on state and format. Runs on the commit loop's thread.
 */
@NullMarked
package io.millrace.internal.transition;

import org.jspecify.annotations.NullMarked;
