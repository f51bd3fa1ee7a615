/**
 * The JMH suites: one class for each thing that is measured. Run them with {@code ./millrace bench
 * suites}. JMH subclasses states and generates code beside the benchmarks: these classes are public
 * and not final, their fields package-private.
 */
@NullMarked
package io.millrace.jmh.suite;

import org.jspecify.annotations.NullMarked;
