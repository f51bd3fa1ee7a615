/**
 * Checks of what callers hand in, and the rows of their tables as bytes: the same for an engine and
 * for a client of a server. For Millrace's modules alone; depends on the API, and on what tells
 * whether an id is a job's; safe on any thread.
 */
@NullMarked
package io.millrace.calls;

import org.jspecify.annotations.NullMarked;
