/**
 * The arrows of the state picture: the moves that take a job, its record and the rows that it owns
 * from state to state, the slots of concurrency keys that these need, and the treatment of records
 * that cannot be read. Nothing here is asked for by a caller. Depends on the packages before it:
 * transition, state and format. Runs on the commit loop's thread.
 */
@NullMarked
package io.millrace.internal.transition.move;

import org.jspecify.annotations.NullMarked;
