package io.millrace.spring.test;

import io.millrace.test.TestEngine;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.annotation.DirtiesContext.ClassMode;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of the jobs of a Spring Boot application alone, in virtual time. Of the application's
 * components it has those with {@link io.millrace.spring.JobHandler} and {@link
 * io.millrace.spring.Recurring} methods; what these need is imported, or replaced by mocks. The
 * engine is a {@link TestEngine}: the real one in memory, whose clock the test moves and whose
 * handlers run on the test's thread. Each test has an application context of its own, and so an
 * engine without jobs.
 *
 * <pre>{@code
 * @MillraceTest
 * class MailJobsTest {
 *   @MockitoBean Mailer mailer;
 *
 *   @Test
 *   void mail_serverIsDown_isTriedAgain(@Autowired TestEngine engine) { ... }
 * }
 * }</pre>
 *
 * <p>Code that is tested asks for {@link io.millrace.api.JobQueues}: a {@code JobEngine} is not
 * there. Needs the dependency millrace-test.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(MillraceTestBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@ImportAutoConfiguration
@DirtiesContext(classMode = ClassMode.AFTER_EACH_TEST_METHOD)
public @interface MillraceTest {

  /** Returns properties in the form {@code key=value} that the test adds. */
  String[] properties() default {};

  /** Returns auto-configurations that the test does without. */
  @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
  Class<?>[] excludeAutoConfiguration() default {};
}
