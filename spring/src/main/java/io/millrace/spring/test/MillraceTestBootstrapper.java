package io.millrace.spring.test;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.SpringBootTestContextBootstrapper;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Makes the contexts of tests that are a {@link MillraceTest}. */
final class MillraceTestBootstrapper extends SpringBootTestContextBootstrapper {

  @Override
  protected String @Nullable [] getProperties(Class<?> testClass) {
    @Nullable MillraceTest says =
        TestContextAnnotationUtils.findMergedAnnotation(testClass, MillraceTest.class);
    return says == null ? null : says.properties();
  }
}
