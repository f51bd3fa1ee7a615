/**
 * The reference model and the histories that run it side by side with the engine.
 *
 * <p>Written from the specification and the public API alone: nothing here looks inside the engine,
 * so that the two views of the same behaviour stay independent.
 */
@NullMarked
package io.millrace.model;

import org.jspecify.annotations.NullMarked;
