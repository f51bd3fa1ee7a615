/** A small Spring Boot application that sends mails: it compiles and runs with 3.5 and with 4. */
@NullMarked
package io.millrace.spring.sample;

import org.jspecify.annotations.NullMarked;
