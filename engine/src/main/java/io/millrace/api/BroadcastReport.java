package io.millrace.api;

/**
 * The outcome of a {@linkplain JobSignals#broadcast broadcast}.
 *
 * @param wokenCount the number of jobs that waited for the signal and now go on
 * @param isKept true if no job waited, so that the signal is kept for the first job that does
 */
public record BroadcastReport(long wokenCount, boolean isKept) {}
