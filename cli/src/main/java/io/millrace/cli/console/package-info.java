/** The command that shows a store in the browser. */
@NullMarked
package io.millrace.cli.console;

import org.jspecify.annotations.NullMarked;
