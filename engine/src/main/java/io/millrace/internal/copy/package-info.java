/**
 * Whole stores that no engine holds: the copy into another, and the repair, which is a copy of what
 * the records alone say.
 *
 * <p>Depends on {@code io.millrace.api}, {@code io.millrace.spi} and {@code
 * io.millrace.internal.format} only. Runs on the caller's thread. Memory does not grow with the
 * store: facts that must be remembered are looked up in the new store.
 */
@NullMarked
package io.millrace.internal.copy;

import org.jspecify.annotations.NullMarked;
