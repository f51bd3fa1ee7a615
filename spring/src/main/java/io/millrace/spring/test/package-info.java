/**
 * Tests of the jobs of a Spring application in virtual time.
 *
 * <p>Uses the auto-configuration and millrace-test. Runs on the thread of the test.
 */
@NullMarked
package io.millrace.spring.test;

import org.jspecify.annotations.NullMarked;
