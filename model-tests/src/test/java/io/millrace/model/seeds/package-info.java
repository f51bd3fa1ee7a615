/**
 * An engine whose every step follows from what a test decides: the commit loop and those who call
 * it take turns, the disk is simulated, and each call of the store is written down.
 *
 * <p>Here is no judgement: what an engine should have answered is known in {@code
 * io.millrace.model.outage}.
 */
@NullMarked
package io.millrace.model.seeds;

import org.jspecify.annotations.NullMarked;
