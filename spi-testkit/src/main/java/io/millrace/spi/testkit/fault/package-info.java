/**
 * Fault tests of stores on disks: power losses, crashes between system calls, disks that fail; and
 * a network that fails.
 *
 * <p>Victims are processes of their own. Depends on {@code io.millrace.spi}, JUnit and AssertJ, and
 * on commands of the machine: where they are missing, a test says that it did not run.
 */
@NullMarked
package io.millrace.spi.testkit.fault;

import org.jspecify.annotations.NullMarked;
