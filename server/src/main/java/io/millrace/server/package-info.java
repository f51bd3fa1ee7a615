/**
 * A server of an engine's queues: by gRPC, and by HTTP with JSON, for programs in other processes,
 * on other hosts and in other languages.
 */
@NullMarked
package io.millrace.server;

import org.jspecify.annotations.NullMarked;
