/**
 * What the starters of both generations of Spring Boot promise, as suites that each of them runs.
 */
@NullMarked
package io.millrace.spring.contract;

import org.jspecify.annotations.NullMarked;
