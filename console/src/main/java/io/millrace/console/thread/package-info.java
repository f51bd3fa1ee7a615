/**
 * The threads of a console.
 *
 * <p>Depends on nothing of the console.
 */
@NullMarked
package io.millrace.console.thread;

import org.jspecify.annotations.NullMarked;
