package io.millrace.cli.option;

import io.millrace.api.BatchId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a batch's id. */
public final class BatchIdConverter implements ITypeConverter<BatchId> {

  @Override
  public BatchId convert(String value) {
    try {
      return BatchId.parse(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("a batch id has 16 hexadecimal digits");
    }
  }
}
