/**
 * Work that comes due with time: delayed jobs, ended leases, times to live and retentions, queues
 * to look at, to unload and to remove.
 *
 * <p>Each class asks the loop to carry out bounded transitions and never writes itself. Depends on
 * commit and below; runs on the commit loop's thread.
 */
@NullMarked
package io.millrace.internal.timer;

import org.jspecify.annotations.NullMarked;
