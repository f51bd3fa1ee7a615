package io.millrace.spring.test;

import io.millrace.spring.JobHandler;
import io.millrace.spring.Recurring;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/** Leaves out what has no method that works on jobs. */
final class HandlersOnlyFilter extends TypeExcludeFilter {

  @Override
  public boolean match(MetadataReader reader, MetadataReaderFactory factory) {
    AnnotationMetadata type = reader.getAnnotationMetadata();
    return !type.hasAnnotatedMethods(JobHandler.class.getName())
        && !type.hasAnnotatedMethods(Recurring.class.getName());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HandlersOnlyFilter;
  }

  @Override
  public int hashCode() {
    return HandlersOnlyFilter.class.hashCode();
  }
}
