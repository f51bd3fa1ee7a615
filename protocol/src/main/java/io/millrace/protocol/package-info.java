/**
 * The calls of the server: what is asked and answered, and how both are written as messages of
 * {@code millrace/v1/millrace.proto}. For the server, clients in Java and tests.
 */
@NullMarked
package io.millrace.protocol;

import org.jspecify.annotations.NullMarked;
