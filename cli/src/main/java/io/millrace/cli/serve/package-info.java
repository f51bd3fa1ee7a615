/** The command that serves a store to other processes. */
@NullMarked
package io.millrace.cli.serve;

import org.jspecify.annotations.NullMarked;
