/**
 * The promises of the starters for both generations of Spring Boot, as suites that each of them
 * runs.
 */
@NullMarked
package io.millrace.spring.contract;

import org.jspecify.annotations.NullMarked;
