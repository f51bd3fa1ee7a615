/**
 * Names of tables that are Millrace's own. For its modules alone; depends on the limits of the API;
 * safe on any thread.
 */
@NullMarked
package io.millrace.tables;

import org.jspecify.annotations.NullMarked;
