/**
 * The output of the command line: text that is safe on a terminal, tables for people, JSON for
 * programs, and files that have their name when they are whole.
 *
 * <p>Depends on {@code io.millrace.api} and {@code io.millrace.describe}, on {@code
 * io.millrace.cli.command} for the exception that says what cannot be written, and for JSON on
 * Jackson's streaming core. Runs on the caller's thread.
 */
@NullMarked
package io.millrace.cli.text;

import org.jspecify.annotations.NullMarked;
