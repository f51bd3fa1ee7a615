/**
 * What users of Millrace see: queues, jobs, leases, options, results and exceptions.
 *
 * <p>Depends on the root of all exceptions, and on nothing else of ours. Every type is immutable or
 * safe for use by any thread unless it says otherwise.
 */
@NullMarked
package io.millrace.api;

import org.jspecify.annotations.NullMarked;
