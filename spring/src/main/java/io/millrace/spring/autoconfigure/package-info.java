/**
 * The auto-configuration of Millrace that Spring Boot 3.5 and 4 share: properties, beans, their
 * beginning and end, and what an application is told if it cannot start.
 *
 * <p>Compiled against Spring Boot 3.5, and uses nothing of it that Spring Boot 4 has elsewhere.
 * Runs on the thread that starts the application, and on those that ask endpoints.
 */
@NullMarked
package io.millrace.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
