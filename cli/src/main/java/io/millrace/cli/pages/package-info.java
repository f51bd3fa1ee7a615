/**
 * Lists that are read page by page, one after the other, and the damaged rows that are met on the
 * way.
 *
 * <p>Depends on {@code io.millrace.api}, {@code io.millrace.cli.command} and {@code
 * io.millrace.cli.text}. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli.pages;

import org.jspecify.annotations.NullMarked;
