/**
 * The outbox: jobs that are enqueued by a row in the user's own transaction of an SQL database, and
 * relayed into the engine exactly once. For the other direction there is {@link
 * io.millrace.outbox.jdbc.OncePerJob}.
 *
 * <p>Uses the public API of the engine, JDBC, and one of Millrace's own tables. Rows are written on
 * the threads of callers. Each relay has a thread of its own, which alone reads and deletes them.
 */
@NullMarked
package io.millrace.outbox.jdbc;

import org.jspecify.annotations.NullMarked;
