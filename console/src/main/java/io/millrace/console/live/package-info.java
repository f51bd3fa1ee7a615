/**
 * The figures of the last hour. Depends on the source; a thread of its own takes them, the server's
 * threads read them.
 */
@NullMarked
package io.millrace.console.live;

import org.jspecify.annotations.NullMarked;
