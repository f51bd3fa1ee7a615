package io.millrace.model.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No class needs one of its own subtypes to be initialized. Of two threads that use both for the
 * first time, one begins with the class and the other with the subtype, and each waits for the
 * other for ever.
 *
 * <p>An interface counts only if it has a default method: else its implementations do not
 * initialize it (JLS 12.4.1).
 */
@Tag("slow")
class ClassInitializationTest {

  @Test
  void classes_ofTheBuild_needNoSubtypeOfTheirOwn() {
    JavaClasses ours =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.millrace");

    assertThat(ours.size()).isGreaterThan(500);
    assertThat(needingSubtypes(ours)).isEmpty();
  }

  @Test
  void interface_withADefaultMethodAndAnImplementationOfItself_isFound() {
    JavaClasses fixture = new ClassFileImporter().importPackages("io.millrace.model.source.init");

    assertThat(needingSubtypes(fixture)).containsExactly("Shape needs Point");
  }

  private static Set<String> needingSubtypes(JavaClasses classes) {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : classes) {
      if (type.isInterface() && !hasDefaultMethod(type)) {
        continue;
      }
      type.getStaticInitializer()
          .ifPresent(
              initializer ->
                  found.addAll(
                      initializer.getAccessesFromSelf().stream()
                          .map(call -> call.getTargetOwner())
                          .filter(needed -> !needed.equals(type))
                          .filter(needed -> needed.isAssignableTo(type.getName()))
                          .filter(needed -> !needed.isAnonymousClass() && !needed.isEnum())
                          .map(needed -> type.getSimpleName() + " needs " + needed.getSimpleName())
                          .collect(Collectors.toSet())));
    }
    return found;
  }

  private static boolean hasDefaultMethod(JavaClass type) {
    return type.getMethods().stream()
        .anyMatch(
            method ->
                !method.getModifiers().contains(JavaModifier.ABSTRACT)
                    && !method.getModifiers().contains(JavaModifier.STATIC));
  }
}
