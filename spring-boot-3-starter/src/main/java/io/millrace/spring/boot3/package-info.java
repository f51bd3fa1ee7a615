/**
 * The part of Millrace that is for Spring Boot 3.5 alone: all else is in millrace-spring.
 *
 * <p>Runs on the threads that ask the health endpoint.
 */
@NullMarked
package io.millrace.spring.boot3;

import org.jspecify.annotations.NullMarked;
