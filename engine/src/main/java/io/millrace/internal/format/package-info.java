/**
 * The bytes on disk: the keyspaces, the layouts of keys, the encodings of records, and the
 * relations between the rows of a queue or a job.
 *
 * <p>Depends on {@code io.millrace.api} and the JDK only. Everything is pure and holds no shared
 * state: any thread may use it. {@code *Keys} classes lay out keys, {@code *Record} classes values;
 * {@code docs/FORMAT.md} has all of it on one page.
 */
@NullMarked
package io.millrace.internal.format;

import org.jspecify.annotations.NullMarked;
