/**
 * The commands of {@code millrace dead}, which list, export and change dead letters.
 *
 * <p>{@link io.millrace.cli.dead.DeadCommand} names them all; {@link
 * io.millrace.cli.dead.DeadChange} is what those that change dead letters have in common. Depends
 * on the listing of jobs and on the common packages of the command line. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli.dead;

import org.jspecify.annotations.NullMarked;
