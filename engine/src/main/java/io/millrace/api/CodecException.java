package io.millrace.api;

import io.millrace.MillraceException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when stored bytes are no value of the codec that reads them, mostly because they were
 * written with another one. The bytes stay as they are, and a codec that knows them still reads
 * them.
 */
public class CodecException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public CodecException(String message) {
    super(message);
  }

  public CodecException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
