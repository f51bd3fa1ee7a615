/**
 * The reference model: what the engine does, in lines plain enough to be checked by eye.
 *
 * <p>Written from the specification and the public API alone: nothing here looks inside the engine,
 * so that the two views of the same behaviour stay independent. The packages beside it hold the
 * engine to it, or to the specification itself.
 */
@NullMarked
package io.millrace.model;

import org.jspecify.annotations.NullMarked;
