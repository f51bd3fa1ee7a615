package io.millrace.engine;

import io.millrace.internal.format.Payload;
import io.millrace.internal.transition.lease.Grant;
import org.jspecify.annotations.Nullable;

/**
 * A job that was granted, with all that its holder is to see of it.
 *
 * @param content payload and headers
 * @param state what the last checkpoint before this lease kept, or null
 */
record GrantedJob(Grant grant, Payload.Inline content, byte @Nullable [] state) {}
