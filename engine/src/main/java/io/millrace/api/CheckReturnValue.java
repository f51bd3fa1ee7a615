package io.millrace.api;

import static java.lang.annotation.ElementType.METHOD;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A mark on methods whose result says whether anything happened. A caller who drops the result may
 * lose work without knowing. Look at the result, or call its {@code orThrow()}.
 *
 * <p>Error Prone and IDEs know annotations of this simple name, wherever they come from, and report
 * calls that drop the result.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(METHOD)
public @interface CheckReturnValue {}
