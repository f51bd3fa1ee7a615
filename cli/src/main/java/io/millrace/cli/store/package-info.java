/**
 * The commands that are about a whole store: {@code millrace inspect}, {@code verify}, {@code
 * backup}, {@code reopen}, {@code restore}, {@code copy} and {@code repair}.
 *
 * <p>Depends on the listings of queues and of jobs, and on the common packages of the command line.
 * Runs on the main thread.
 */
@NullMarked
package io.millrace.cli.store;

import org.jspecify.annotations.NullMarked;
