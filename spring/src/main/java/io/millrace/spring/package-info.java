/**
 * Queues, workers and schedules of a Spring application: the annotations that its methods have, and
 * the beans that it is given.
 *
 * <p>Uses the public API of engine and worker, and Spring's. Runs on the threads of callers.
 */
@NullMarked
package io.millrace.spring;

import org.jspecify.annotations.NullMarked;
