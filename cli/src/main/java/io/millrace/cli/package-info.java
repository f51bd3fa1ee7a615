/**
 * The commands of {@code ./millrace}: one class each, and what they share.
 *
 * <p>Depends on {@code io.millrace.api} and {@code io.millrace.engine}, on {@code io.millrace.spi}
 * for the stores' exceptions, and on picocli. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli;

import org.jspecify.annotations.NullMarked;
