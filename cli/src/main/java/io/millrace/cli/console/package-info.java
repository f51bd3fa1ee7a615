/**
 * The command that shows a store in the browser, and the engine of another process as the console's
 * source.
 *
 * <p>Depends on the console, on what commands share, and on {@code io.millrace.cli.place}. The
 * console's threads ask; threads of {@link io.millrace.cli.console.Patience} wait for the answers.
 */
@NullMarked
package io.millrace.cli.console;

import org.jspecify.annotations.NullMarked;
