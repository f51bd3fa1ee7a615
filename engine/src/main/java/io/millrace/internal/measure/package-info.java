/**
 * Figures that the loop notes about itself, for others to look at: how long commits and syncs take,
 * and what the engine holds.
 *
 * <p>Depends on the api alone. Written by one thread without a lock and without garbage; read by
 * any.
 */
@NullMarked
package io.millrace.internal.measure;

import org.jspecify.annotations.NullMarked;
