/**
 * Requests, answers and paths, without any server's own types. Depends on the hooks alone; used by
 * the server's threads.
 */
@NullMarked
package io.millrace.console.http;

import org.jspecify.annotations.NullMarked;
