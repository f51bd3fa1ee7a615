/**
 * The console in the browser: {@link io.millrace.console.Console} is where to begin. Depends on all
 * packages below; the JDK's server calls it.
 */
@NullMarked
package io.millrace.console;

import org.jspecify.annotations.NullMarked;
