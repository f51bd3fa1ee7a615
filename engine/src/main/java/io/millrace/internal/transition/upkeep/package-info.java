/**
 * Work that the engine does for its store: takes it over, with what older versions left, ends
 * batches, sets damaged rows aside, stops cleanly. Depends on transition.lease and what that
 * depends on. Runs on the commit loop's thread.
 */
@NullMarked
package io.millrace.internal.transition.upkeep;

import org.jspecify.annotations.NullMarked;
