/**
 * The console for programs: what it shows and does, as JSON, and the document of that. Depends on
 * the source, the actions and the texts; used by the server's threads.
 */
@NullMarked
package io.millrace.console.api;

import org.jspecify.annotations.NullMarked;
