package io.millrace.cli.option;

import io.millrace.api.JobId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a job's id. */
public final class JobIdConverter implements ITypeConverter<JobId> {

  @Override
  public JobId convert(String value) {
    try {
      return JobId.parse(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("a job id has 32 hexadecimal digits");
    }
  }
}
