package io.millrace.api;

import java.time.Instant;
import java.util.Optional;

/**
 * What a job waits for that is in the state WAITING.
 *
 * @param signal the name of the signal
 * @param since since when it waits
 * @param deadline when it goes on without the signal; empty if never
 */
public record SignalWait(String signal, Instant since, Optional<Instant> deadline) {}
