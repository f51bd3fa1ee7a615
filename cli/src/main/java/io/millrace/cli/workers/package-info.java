/**
 * The commands of {@code millrace workers}, which show and change the workers of a process that
 * runs.
 *
 * <p>{@link io.millrace.cli.workers.WorkersCommand} names them all; {@link
 * io.millrace.cli.workers.WorkerChange} is what those that change a worker have in common. Depends
 * on the common packages of the command line. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli.workers;

import org.jspecify.annotations.NullMarked;
