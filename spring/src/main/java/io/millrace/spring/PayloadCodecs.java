package io.millrace.spring;

import io.millrace.api.Codec;
import java.lang.reflect.Type;

/**
 * The way in which the application writes payloads and results: a bean of this type replaces JSON
 * by the application's mapper. Thread-safe.
 */
@FunctionalInterface
public interface PayloadCodecs {

  /**
   * Returns the codec of the values of a Java type.
   *
   * @throws IllegalArgumentException values of this type cannot be written
   */
  Codec<?> of(Type type);
}
