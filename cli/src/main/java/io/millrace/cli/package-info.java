/**
 * The commands of {@code ./millrace}, one class each, and the parts that they share.
 *
 * <p>Depends on {@code io.millrace.api} and {@code io.millrace.engine}, on {@code io.millrace.spi}
 * for the stores' exceptions, on {@code io.millrace.worker} for the demo, on {@code
 * io.millrace.management} for engines that run, and on picocli. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli;

import org.jspecify.annotations.NullMarked;
