/**
 * The beginning and the end of every command: its common options, its version and help, its exit
 * codes, and the exception that says why it cannot be carried out.
 *
 * <p>Depends on picocli alone. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli.command;

import org.jspecify.annotations.NullMarked;
