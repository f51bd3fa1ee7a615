/**
 * The command {@code millrace top}: samples of an engine that runs, two of them as a page for
 * people or as JSON for programs.
 *
 * <p>Depends on the words for queues and on the common packages of the command line. Runs on the
 * main thread.
 */
@NullMarked
package io.millrace.cli.top;

import org.jspecify.annotations.NullMarked;
