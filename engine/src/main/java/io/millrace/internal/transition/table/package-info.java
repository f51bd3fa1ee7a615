/**
 * Changes of users' tables: rows put and deleted, on conditions or without, and tables dropped.
 * Depends on the open batch and on what is in memory. Runs on the commit loop's thread.
 */
@NullMarked
package io.millrace.internal.transition.table;

import org.jspecify.annotations.NullMarked;
