/**
 * The command line {@code ./millrace}: {@link io.millrace.cli.Main} names the commands, each of
 * which lies in the package of what it is about, and turns what they throw into a sentence.
 *
 * <p>The packages {@code queue}, {@code job}, {@code batch}, {@code dead}, {@code workers}, {@code
 * schedules}, {@code store}, {@code top} and {@code demo} hold commands. What they share lies in
 * {@code command} (what every command has), {@code option} (options and converters), {@code place}
 * (the store that a command works on), {@code pages} (lists) and {@code text} (output), which know
 * no commands. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli;

import org.jspecify.annotations.NullMarked;
