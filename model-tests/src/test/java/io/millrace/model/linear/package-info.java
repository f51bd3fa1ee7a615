/**
 * Recorded histories of threads that call one engine, and the search for an order of the calls that
 * explains all answers.
 *
 * <p>The sequential specification here is a second, smaller model, with values instead of objects:
 * the search tries many orders and keeps many states. Written from the specification and the public
 * API alone.
 */
@NullMarked
package io.millrace.model.linear;

import org.jspecify.annotations.NullMarked;
