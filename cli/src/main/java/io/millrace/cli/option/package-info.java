/**
 * The options and parameters that commands of several packages have, and the converters that read
 * their values.
 *
 * <p>Depends on {@code io.millrace.cli.command}, {@code pages}, {@code place} and {@code text}, on
 * {@code io.millrace.api}, on {@code io.millrace.spi} for the kinds of stores that there are, and
 * on picocli. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli.option;

import org.jspecify.annotations.NullMarked;
