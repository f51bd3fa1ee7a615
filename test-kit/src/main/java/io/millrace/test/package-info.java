/**
 * Tests in virtual time: the real engine on a store in memory, whose clock stands still until the
 * test moves it, and whose workers' handlers run on the thread of the test.
 *
 * <p>{@link io.millrace.test.TestEngine} is the entry, {@link io.millrace.test.MillraceTest} gives
 * one to each test of a class by JUnit. Stands on the public packages of the engine and the worker,
 * and on the store in memory.
 */
@NullMarked
package io.millrace.test;

import org.jspecify.annotations.NullMarked;
