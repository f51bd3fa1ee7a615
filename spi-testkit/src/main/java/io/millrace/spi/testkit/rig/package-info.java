/**
 * The ways by which tests reach the queues of an engine: in the same process, or through what a run
 * of the tests brings along.
 *
 * <p>Depends on JUnit. Any thread.
 */
@NullMarked
package io.millrace.spi.testkit.rig;

import org.jspecify.annotations.NullMarked;
