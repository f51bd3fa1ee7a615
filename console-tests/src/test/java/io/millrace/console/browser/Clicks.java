package io.millrace.console.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The actions of the console that a test asks for by clicks, and sees done. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Clicks {
  String[] value();
}
