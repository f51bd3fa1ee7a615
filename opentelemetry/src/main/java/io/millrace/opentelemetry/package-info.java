/**
 * Spans and metrics of jobs for an {@link io.opentelemetry.api.OpenTelemetry}, and the context of
 * whoever enqueues a job in the job's headers.
 *
 * <p>Uses the public API of engine and worker alone. Runs on the threads of callers and handlers,
 * and where a worker tells its listeners. It has no thread of its own.
 */
@NullMarked
package io.millrace.opentelemetry;

import org.jspecify.annotations.NullMarked;
