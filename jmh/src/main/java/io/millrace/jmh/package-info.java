/**
 * {@code ./millrace bench}: reads the command line, runs loads, prints their results. Uses the
 * command line's text package and the load tool.
 */
@NullMarked
package io.millrace.jmh;

import org.jspecify.annotations.NullMarked;
