/**
 * Explanations why a job is not running: what the store says of the job and what its engine knows
 * beside that, put together, and in sentences. Pure; depends on the API alone. Any thread.
 */
@NullMarked
package io.millrace.internal.explain;

import org.jspecify.annotations.NullMarked;
