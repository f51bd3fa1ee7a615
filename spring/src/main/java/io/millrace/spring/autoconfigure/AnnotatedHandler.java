package io.millrace.spring.autoconfigure;

import io.millrace.worker.HandlerOptions;
import io.millrace.worker.Schedule;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A method that works on jobs, with what its annotation says.
 *
 * @param type the name of the type of its jobs
 * @param queue the name of their queue, if the annotation says one
 * @param schedule the times, if it is a recurring one that is not switched off
 */
record AnnotatedHandler(
    HandlerMethod method,
    String type,
    Optional<String> queue,
    UnaryOperator<HandlerOptions> options,
    Optional<Schedule> schedule) {}
