/**
 * The public API of Millrace: queues, jobs, leases, options, results and exceptions.
 *
 * <p>This package depends on the root of all exceptions and on no other package of ours. Every type
 * is immutable or safe for use by any thread unless it says otherwise.
 */
@NullMarked
package io.millrace.api;

import org.jspecify.annotations.NullMarked;
