/**
 * The store in a PostgreSQL database: rows in one table, and a guard row that every commit moves.
 *
 * <p>Depends on {@code io.millrace.spi}, the PostgreSQL driver and SLF4J. Types of the driver and
 * of JDBC never leave the package but for the data source that users hand in, and SQL states are
 * translated in {@code SqlErrors} alone. The package has no threads of its own: the writer's thread
 * works on one connection, readers on their own threads with connections of a pool.
 *
 * <p>No session state is relied upon, so that connections may be given by a pooler whose servers
 * change with each transaction: no temporary tables, no session settings, no notifications, no
 * named statements.
 */
@NullMarked
package io.millrace.store.postgresql;

import org.jspecify.annotations.NullMarked;
