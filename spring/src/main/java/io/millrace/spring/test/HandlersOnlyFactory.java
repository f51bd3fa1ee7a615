package io.millrace.spring.test;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Keeps all components but those with handlers out of the contexts of a {@link MillraceTest}. The
 * annotation that Spring Boot has for this is in another package in each generation; what it does
 * is the same in both, and done here.
 */
final class HandlersOnlyFactory implements ContextCustomizerFactory {

  @Override
  public @Nullable ContextCustomizer createContextCustomizer(
      Class<?> testClass, List<ContextConfigurationAttributes> configurationAttributes) {
    return TestContextAnnotationUtils.hasAnnotation(testClass, MillraceTest.class)
        ? new HandlersOnly()
        : null;
  }

  /** Contexts of equal customizers are one in the cache: there is nothing to differ by. */
  private record HandlersOnly() implements ContextCustomizer {

    @Override
    public void customizeContext(
        ConfigurableApplicationContext context, MergedContextConfiguration mergedConfig) {
      ConfigurableListableBeanFactory beans = context.getBeanFactory();
      beans.registerSingleton(HandlersOnlyFilter.class.getName(), new HandlersOnlyFilter());
    }
  }
}
