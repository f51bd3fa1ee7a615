/**
 * The commands of {@code millrace job}, which change jobs, {@code millrace explain}, and what
 * selects and shows jobs.
 *
 * <p>{@link io.millrace.cli.job.JobCommand} names them all; {@link io.millrace.cli.job.JobChange}
 * is what those that change jobs have in common. Depends on the common packages of the command
 * line. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli.job;

import org.jspecify.annotations.NullMarked;
