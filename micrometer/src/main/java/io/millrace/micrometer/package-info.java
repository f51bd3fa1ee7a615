/**
 * Meters of engines and workers for a {@link io.micrometer.core.instrument.MeterRegistry}.
 *
 * <p>Uses the public API of engine and worker alone. Figures are read on the thread that scrapes;
 * times of single jobs are noted on the thread of a job listener.
 */
@NullMarked
package io.millrace.micrometer;

import org.jspecify.annotations.NullMarked;
