/**
 * What the console shows and does, as JSON, and the document that says so. Depends on the source,
 * the actions and the texts; used by the server's threads.
 */
@NullMarked
package io.millrace.console.api;

import org.jspecify.annotations.NullMarked;
