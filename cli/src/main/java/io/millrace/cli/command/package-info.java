/**
 * The beginning and the end of every command: the class that it extends, its common options, help
 * and version, the check of what it was given, its exit codes, and the exception that says why it
 * cannot be carried out.
 *
 * <p>Depends on picocli alone. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli.command;

import org.jspecify.annotations.NullMarked;
