/**
 * Operations on tallies, which count jobs that are one to their user. The counting itself is in
 * {@link io.millrace.internal.transition.move.Tallies}, which every end of a job passes. For the
 * commit loop's thread.
 */
@NullMarked
package io.millrace.internal.transition.tally;

import org.jspecify.annotations.NullMarked;
