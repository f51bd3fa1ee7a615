package io.millrace.api;

/**
 * What became of a {@linkplain JobQueues#broadcast broadcast}.
 *
 * @param wokenCount how many jobs waited for it, and go on
 * @param isKept whether nobody waited, so that it is kept for the first who does
 */
public record BroadcastReport(long wokenCount, boolean isKept) {}
