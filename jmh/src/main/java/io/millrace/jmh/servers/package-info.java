/**
 * The servers beside which the engine is measured: how each is started in a process of its own, and
 * called by its own protocol. Uses the load tool.
 */
@NullMarked
package io.millrace.jmh.servers;

import org.jspecify.annotations.NullMarked;
