/**
 * Work that comes due with time: delayed jobs, ended leases, queues to look at and to unload.
 *
 * <p>Each asks the loop to carry out bounded transitions and never writes itself. Depends on commit
 * and below; runs on the commit loop's thread.
 */
@NullMarked
package io.millrace.internal.timer;

import org.jspecify.annotations.NullMarked;
