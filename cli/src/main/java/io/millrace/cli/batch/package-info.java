/**
 * The commands of {@code millrace batch}, which list, show, cancel and await batches of jobs.
 *
 * <p>{@link io.millrace.cli.batch.BatchCommand} names them all. Depends on the common packages of
 * the command line. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli.batch;

import org.jspecify.annotations.NullMarked;
