/**
 * The bytes on disk: which keyspaces there are, how keys are laid out, how records are encoded, and
 * what the rows of a queue or a job say together.
 *
 * <p>Depends on {@code io.millrace.api} and the JDK only. Everything is pure and holds no shared
 * state: any thread may use it. {@code *Keys} classes lay out keys, {@code *Record} classes values;
 * {@code docs/FORMAT.md} has all of it on one page.
 */
@NullMarked
package io.millrace.internal.format;

import org.jspecify.annotations.NullMarked;
