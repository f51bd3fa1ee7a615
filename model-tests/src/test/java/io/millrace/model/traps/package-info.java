/**
 * The traps that queues fell into before us: each has a plain test here, named after what must not
 * happen.
 *
 * <p>They also hold the nine guarantees of the specification, in its order: 1 what returned
 * survives ({@code RestartTrapsTest}), 2 at least once and 4 one state ({@code RestartTrapsTest},
 * {@code ConcurrencyTrapsTest}, and every history), 3 one holder and 6 terminal is final ({@code
 * LeaseTrapsTest}), 5 attempts are exact ({@code AttemptTrapsTest}), 7 failures stay where they
 * belong ({@code FaultTrapsTest}, {@code CorruptTrapsTest}), 8 every future completes once ({@code
 * CloseTrapsTest}), 9 costs do not grow ({@code BaselineTrapsTest}, {@code RestartTrapsTest}).
 */
@NullMarked
package io.millrace.model.traps;

import org.jspecify.annotations.NullMarked;
