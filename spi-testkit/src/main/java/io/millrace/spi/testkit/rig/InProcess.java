package io.millrace.spi.testkit.rig;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test for queues of an engine in the same process alone: it is left out of runs by another
 * {@link Reach}.
 */
@Tag(InProcess.TAG)
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface InProcess {

  /** The tag of such tests. */
  String TAG = "in-process";

  /** Returns what differs elsewhere, or is not there. */
  String value();
}
