/**
 * Lists that are read page by page, one after the other, and the damaged rows that are met on the
 * way.
 *
 * <p>Depends on {@code io.millrace.api}. Runs on the main thread.
 */
@NullMarked
package io.millrace.cli.pages;

import org.jspecify.annotations.NullMarked;
