/**
 * Tools that embedded stores have in common: the folder's lock, header and watermark, the gate
 * around native calls, and the cache where native libraries are unpacked. For store implementers.
 *
 * <p>Depends on {@code io.millrace.spi} and the JDK alone. A folder is opened and closed by any
 * thread; in between only the store's writer thread touches it. No file here is read or written
 * through a {@code FileChannel}, which an interrupt of the calling thread would close.
 */
@NullMarked
package io.millrace.spi.folder;

import org.jspecify.annotations.NullMarked;
