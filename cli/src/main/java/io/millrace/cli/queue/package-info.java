/**
 * The commands of {@code millrace queue}, which change queues, and the listing of queues.
 *
 * <p>{@link io.millrace.cli.queue.QueueCommand} names them all; {@link
 * io.millrace.cli.queue.QueueChange} is what those that change a queue have in common. Depends on
 * the common packages of the command line. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli.queue;

import org.jspecify.annotations.NullMarked;
