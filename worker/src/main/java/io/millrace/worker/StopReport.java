package io.millrace.worker;

/**
 * The result of stopping a worker.
 *
 * @param finished the number of jobs that ended by themselves after the worker was told to stop,
 *     and whose ends are stored
 * @param interrupted the number of jobs that were interrupted when the grace was over
 * @param released the number of jobs that were handed back: not begun, or ended because of the
 *     interrupt, or not ended in spite of it
 */
public record StopReport(int finished, int interrupted, int released) {}
