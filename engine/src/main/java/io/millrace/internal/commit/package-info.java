/**
 * The one thread that changes state: it takes requests up in groups, turns each group into one
 * store batch, writes and syncs it, and answers.
 *
 * <p>Depends on transition, state and format. {@link io.millrace.internal.commit.CommitLoop} owns
 * the thread; callers only meet {@link io.millrace.internal.commit.Request}.
 */
@NullMarked
package io.millrace.internal.commit;

import org.jspecify.annotations.NullMarked;
