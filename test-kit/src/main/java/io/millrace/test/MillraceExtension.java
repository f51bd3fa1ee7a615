package io.millrace.test;

import io.millrace.api.JobQueues;
import io.millrace.api.JobReader;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The JUnit extension behind {@link MillraceTest}. A test that wants other engines than {@link
 * TestEngine#create()} makes registers an extension that makes them:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final MillraceExtension ENGINES =
 *     new MillraceExtension(() -> TestEngine.create(Instant.parse("2024-02-29T23:00:00Z")));
 * }</pre>
 */
public final class MillraceExtension implements ParameterResolver, AfterEachCallback {

  private static final Namespace NAMESPACE = Namespace.create(MillraceExtension.class);

  /**
   * The types of the parameters that a test or the code that it tests may ask for: all get the one
   * engine.
   */
  private static final Set<Class<?>> GIVEN =
      Set.of(TestEngine.class, JobQueues.class, JobReader.class);

  private final Supplier<TestEngine> engines;

  /** Creates an extension whose engines {@link TestEngine#create()} makes. */
  public MillraceExtension() {
    this(TestEngine::create);
  }

  /**
   * Creates an extension that takes its engines from here, one for each test; they are made
   * {@linkplain TestEngine#strict strict}.
   */
  public MillraceExtension(Supplier<TestEngine> engines) {
    this.engines = Objects.requireNonNull(engines, "engines");
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return GIVEN.contains(parameter.getParameter().getType())
        && context.getTestMethod().isPresent();
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ExtensionContext.Store store = context.getStore(NAMESPACE);
    TestEngine engine = store.get(TestEngine.class, TestEngine.class);
    if (engine == null) {
      engine = engines.get().strict();
      store.put(TestEngine.class, engine);
    }
    return engine;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    TestEngine engine = context.getStore(NAMESPACE).remove(TestEngine.class, TestEngine.class);
    if (engine != null) {
      engine.close();
    }
  }
}
