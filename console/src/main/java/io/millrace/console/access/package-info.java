/**
 * The way in: tokens, sessions, and what keeps other sites from acting in a visitor's name. Depends
 * on requests and hooks; used by the server's threads.
 */
@NullMarked
package io.millrace.console.access;

import org.jspecify.annotations.NullMarked;
