/**
 * The store that a console shows: what is asked of it, what is changed, and looks at many jobs that
 * end in time. Depends on the engine and on workers; used by the server's threads.
 */
@NullMarked
package io.millrace.console.source;

import org.jspecify.annotations.NullMarked;
