/**
 * The part of Millrace that is for Spring Boot 4 alone: all else is in millrace-spring.
 *
 * <p>Runs on the threads that ask the health endpoint, and on those that enqueue and handle jobs.
 */
@NullMarked
package io.millrace.spring.boot4;

import org.jspecify.annotations.NullMarked;
