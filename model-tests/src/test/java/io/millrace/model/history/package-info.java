/**
 * Random histories that run the reference model side by side with the engine, on every store: both
 * must agree after every step.
 *
 * <p>On the public API alone, with a store and a clock of {@code io.millrace.model.rig}.
 */
@NullMarked
package io.millrace.model.history;

import org.jspecify.annotations.NullMarked;
