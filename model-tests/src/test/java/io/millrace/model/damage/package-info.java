/**
 * Stores that are damaged from outside, closed under load, fought over, or old: engines in
 * processes of their own, for some of them may die.
 *
 * <p>Uses the engine as its users do, the fault tests' tools, and clocks and stores of {@code
 * io.millrace.model.rig}.
 */
@NullMarked
package io.millrace.model.damage;

import org.jspecify.annotations.NullMarked;
