package io.millrace.api;

import java.time.Instant;
import java.util.Optional;

/**
 * The wait of a job in the state WAITING for a signal.
 *
 * @param signal the name of the signal
 * @param since when the wait began
 * @param deadline when the job goes on without the signal; empty if never
 */
public record SignalWait(String signal, Instant since, Optional<Instant> deadline) {}
