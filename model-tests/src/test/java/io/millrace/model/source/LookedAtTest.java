package io.millrace.model.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.millrace.api.AfterCommit;
import io.millrace.api.CheckReturnValue;
import io.millrace.api.Lease;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whoever drops a result or a lease is told by tools: each method that answers one says so, also
 * where a class repeats it, for tools do not look at what it overrides.
 */
@Tag("slow")
class LookedAtTest {

  private static final List<String> PACKAGES = List.of("io.millrace.api", "io.millrace.engine");

  @Test
  void methods_thatAnswerResultsOrLeases_areMarked() {
    List<String> unmarked =
        new ClassFileImporter()
            .importPackages(PACKAGES).stream()
                .filter(type -> PACKAGES.contains(type.getPackageName()))
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> !isResult(type) && !type.isAssignableTo(Throwable.class))
                .flatMap(type -> type.getMethods().stream())
                .filter(LookedAtTest::answersResult)
                .filter(method -> !method.isAnnotatedWith(CheckReturnValue.class))
                .map(JavaMethod::getFullName)
                .sorted()
                .toList();

    assertThat(unmarked).isEmpty();
  }

  /**
   * A lease by its token is not claimed by looking at it. What a transaction does is told by its
   * own result: answers that are there after the commit are for who wants to know more.
   */
  private static boolean answersResult(JavaMethod method) {
    boolean isOpen =
        method.getModifiers().contains(JavaModifier.PUBLIC)
            && !method.getModifiers().contains(JavaModifier.SYNTHETIC);
    boolean isLease = method.getRawReturnType().isEquivalentTo(Lease.class);
    boolean isAfterCommit = method.getRawReturnType().isEquivalentTo(AfterCommit.class);
    return isOpen
        && !isLease
        && !isAfterCommit
        && method.getReturnType().getAllInvolvedRawTypes().stream()
            .anyMatch(type -> isResult(type) || type.isEquivalentTo(Lease.class));
  }

  private static boolean isResult(JavaClass type) {
    return type.getPackageName().equals("io.millrace.api")
        && type.getSimpleName().endsWith("Result");
  }
}
