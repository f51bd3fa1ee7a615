/**
 * What is within the documented limits and yet more than the store takes in one batch: it is
 * divided, or the one request that fits no batch is refused; the engine goes on and the store opens
 * again.
 */
@NullMarked
package io.millrace.model.limits;

import org.jspecify.annotations.NullMarked;
