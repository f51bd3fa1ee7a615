/**
 * The output of the command line: text that is safe on a terminal, tables for people, JSON for
 * programs.
 *
 * <p>Depends on {@code io.millrace.api}, and for JSON on Jackson's streaming core. Runs on the
 * caller's thread.
 */
@NullMarked
package io.millrace.cli.text;

import org.jspecify.annotations.NullMarked;
