package io.millrace.api;

import java.time.Instant;
import java.util.Optional;

/**
 * A start of a job that counted and is over.
 *
 * @param attempt the number of this start since the job was enqueued or redriven; the first is 1
 * @param startedAt when the lease began
 * @param endedAt when the lease ended
 * @param worker the worker that held the lease
 * @param error the error that the attempt failed with, at most {@value Limits#ERROR_BYTES_MAX}
 *     bytes; empty if it succeeded
 */
public record FinishedAttempt(
    int attempt, Instant startedAt, Instant endedAt, String worker, Optional<String> error) {}
