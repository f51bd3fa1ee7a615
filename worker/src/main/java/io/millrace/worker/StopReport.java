package io.millrace.worker;

/**
 * How a worker has stopped.
 *
 * @param finished how many jobs ended by themselves after the worker was told to stop, and whose
 *     ends are stored
 * @param interrupted how many were interrupted when the grace was over
 * @param released how many were handed back: not begun, or ended because of the interrupt, or not
 *     ended in spite of it
 */
public record StopReport(int finished, int interrupted, int released) {}
