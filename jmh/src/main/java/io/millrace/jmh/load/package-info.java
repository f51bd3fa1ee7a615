/**
 * The load tool: callers that drive the engine, a plain log and a bare store in turn, and the
 * measurements of them. Uses the public packages and the SPI; its callers are threads of its own.
 */
@NullMarked
package io.millrace.jmh.load;

import org.jspecify.annotations.NullMarked;
