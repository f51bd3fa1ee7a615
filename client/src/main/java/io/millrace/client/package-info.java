/**
 * The queues of a server as those of an engine in this process: what the API asks is asked of the
 * server by the calls of the protocol.
 */
@NullMarked
package io.millrace.client;

import org.jspecify.annotations.NullMarked;
