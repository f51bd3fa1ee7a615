package io.millrace.test;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test of a class its own {@link TestEngine}, as a parameter of the test and of its
 * {@code BeforeEach} and {@code AfterEach} methods, and closes it afterwards. A parameter may also
 * be a {@code JobQueues} or a {@code JobReader}, like those of the code that is tested: it is the
 * same engine. Exceptions of handlers fail the test as {@link TestEngine#run} says. Tested with
 * JUnit 5.14 and 6.
 *
 * <pre>{@code
 * @MillraceTest
 * class MailTest {
 *   @Test
 *   void mail_serverIsDown_isTriedAgain(TestEngine engine) {
 *     ...
 *   }
 * }
 * }</pre>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(MillraceExtension.class)
public @interface MillraceTest {}
