/**
 * The one thread that changes state: it takes requests up in groups, turns each group into one
 * store batch, writes and syncs it, and answers.
 *
 * <p>Depends on transition, state and format. Of the transitions it knows those that it makes
 * itself, to take a store over, to tidy it and to leave it. {@link
 * io.millrace.internal.commit.CommitLoop} owns the thread; callers only meet {@link
 * io.millrace.internal.commit.Request}.
 */
@NullMarked
package io.millrace.internal.commit;

import org.jspecify.annotations.NullMarked;
