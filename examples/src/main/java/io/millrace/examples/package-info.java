/**
 * Programs to start from, among them the snippets of the README and of the guide.
 *
 * <p>Depends on the public packages alone. Everything runs on the caller's thread.
 */
@NullMarked
package io.millrace.examples;

import org.jspecify.annotations.NullMarked;
