package io.millrace.model.source;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The arrows between our packages, as docs/ARCHITECTURE.md draws them. */
@Tag("slow")
class ArchitectureTest {

  private static final String API = "io.millrace.api..";
  private static final String ENGINE = "io.millrace.engine..";
  private static final String DESCRIBE = "io.millrace.describe";
  private static final String INTERNAL = "io.millrace.internal..";
  private static final String STORES = "io.millrace.store..";
  private static final String MEMTABLE = "io.millrace.memtable..";
  private static final String LOG = "io.millrace.memtable.log";

  /** The root of all exceptions, ours and the stores'. */
  private static final String ROOT = "io.millrace";

  /** The tables on which classes of options stand. */
  private static final String OPTIONS = "io.millrace.options";

  private static final String[] SPI = {ROOT, OPTIONS, "io.millrace.spi", "io.millrace.spi.folder"};
  private static final String[] LANGUAGE = {"java..", "org.jspecify.annotations"};

  /** The inside of the engine: each package may use those before it, never one after it. */
  private static final List<String> LAYERS =
      List.of(
          "io.millrace.internal.format",
          "io.millrace.internal.state",
          "io.millrace.internal.transition",
          "io.millrace.internal.transition.move",
          "io.millrace.internal.transition.queue",
          "io.millrace.internal.transition.tally",
          "io.millrace.internal.transition.table",
          "io.millrace.internal.transition.lease",
          "io.millrace.internal.transition.job",
          "io.millrace.internal.transition.transact",
          "io.millrace.internal.transition.due",
          "io.millrace.internal.transition.upkeep",
          "io.millrace.internal.measure",
          "io.millrace.internal.commit",
          "io.millrace.internal.timer");

  /** The package that takes requests, whatever these ask for. */
  private static final String COMMIT = "io.millrace.internal.commit";

  /** The work that the commit does by itself, with every batch and for the store as a whole. */
  private static final String UPKEEP = "io.millrace.internal.transition.upkeep";

  /** Looks into the store for those who only read; beside the layers, and on the format alone. */
  private static final String READ = "io.millrace.internal.read";

  /** Makes stores of stores; beside the layers as well. */
  private static final String COPY = "io.millrace.internal.copy";

  /** Puts together why a job is not running; for those that look, and on the API alone. */
  private static final String EXPLAIN = "io.millrace.internal.explain";

  /** Of the module jdk.attach, and supported for everybody. */
  private static final String ATTACH = "com.sun.tools.attach";

  /** The one package of the module jdk.httpserver, which is for everybody. */
  private static final String HTTP_SERVER = "com.sun.net.httpserver";

  /** What wraps native code or a driver, and the one package that may know it. */
  private static final Map<String, String[]> NATIVE =
      Map.of(
          "io.millrace.store.lmdb..", new String[] {"org.lmdbjava..", "com.kenai.jffi..", "jnr.."},
          "io.millrace.store.rocksdb..", new String[] {"org.rocksdb.."},
          "io.millrace.store.postgresql..", new String[] {"org.postgresql.."});

  private static final Set<String> BOXED =
      Stream.of(Integer.class, Long.class, Double.class)
          .map(number -> "java.util.Optional<" + number.getName() + ">")
          .collect(Collectors.toSet());

  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.millrace");

  @Test
  void importedClasses_ofTheBuild_includeEveryModuleThatTheRulesSpeakOf() {
    Set<String> packages = packages().stream().map(JavaPackage::getName).collect(sorted());

    assertThat(packages)
        .contains(
            "io.millrace.api", "io.millrace.engine", "io.millrace.spi", "io.millrace.memtable");
  }

  @Test
  void layers_inside_useOnlyThoseBeforeThem() {
    for (int i = 0; i < LAYERS.size(); i++) {
      String[] after = LAYERS.subList(i + 1, LAYERS.size()).toArray(String[]::new);
      check(
          noClasses()
              .that()
              .resideInAPackage(LAYERS.get(i))
              .should()
              .dependOnClassesThat(are(resideInAnyPackage(after)))
              .orShould()
              .dependOnClassesThat()
              .resideInAPackage(ENGINE));
    }
  }

  /** A kind of transition says by itself what the commit must know of it. */
  @Test
  void commit_always_knowsNoTransitionButThoseThatItMakesItself() {
    check(
        noClasses()
            .that()
            .resideInAPackage(COMMIT)
            .and()
            .doNotHaveSimpleName("Recovery")
            .should()
            .dependOnClassesThat(
                are(
                    resideInAnyPackage("io.millrace.internal.transition.*")
                        .and(not(resideInAnyPackage(UPKEEP)))
                        .and(not(simpleName("HandBack"))))));
  }

  @Test
  void readAndCopy_besideTheLayers_useTheFormatAloneAndAreUsedByNone() {
    String[] allButFormat = LAYERS.subList(1, LAYERS.size()).toArray(String[]::new);

    check(
        noClasses()
            .that()
            .resideInAnyPackage(READ, COPY)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(allButFormat)
            .orShould()
            .dependOnClassesThat()
            .resideInAPackage(ENGINE));
    check(
        noClasses()
            .that()
            .resideInAnyPackage(LAYERS.toArray(String[]::new))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(READ, COPY, EXPLAIN));
    check(
        noClasses()
            .that()
            .resideInAPackage(EXPLAIN)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                Stream.concat(LAYERS.stream(), Stream.of(READ, COPY, ENGINE))
                    .toArray(String[]::new)));
    check(
        noClasses()
            .that()
            .resideInAPackage(READ)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(COPY));
    check(
        noClasses()
            .that()
            .resideInAPackage(COPY)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(READ));
  }

  @Test
  void internalPackages_all_haveAPlaceInTheOrder() {
    Set<String> internal =
        packages().stream()
            .map(JavaPackage::getName)
            .filter(name -> name.startsWith("io.millrace.internal"))
            .filter(name -> !List.of(READ, COPY, EXPLAIN).contains(name))
            .collect(sorted());

    assertThat(LAYERS).containsAll(internal);
  }

  @Test
  void pureLayers_always_haveNoThreadsAndNoStore() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                LAYERS
                    .subList(0, LAYERS.indexOf("io.millrace.internal.measure"))
                    .toArray(String[]::new))
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("io.millrace.spi.OrderedStore")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class)
            .orShould()
            .dependOnClassesThat()
            .resideInAPackage("java.util.concurrent.locks"));
  }

  @Test
  void api_always_usesNothingOfOursButTheRootOfAllExceptionsAndTablesOfOptions() {
    check(
        classes()
            .that()
            .resideInAPackage(API)
            .should()
            .onlyDependOnClassesThat(are(resideInAnyPackage(LANGUAGE).or(in(ROOT, OPTIONS, API)))));
  }

  /** Where there is no JMX, jobs are told all the same. */
  @Test
  void descriptions_always_standOnTheApiAndKnowJmxInOnePlace() {
    check(
        classes()
            .that()
            .resideInAPackage(DESCRIBE)
            .and()
            .doNotHaveSimpleName("OpenData")
            .should()
            .onlyDependOnClassesThat(
                are(resideInAnyPackage(LANGUAGE).or(in("io.millrace.api", DESCRIBE)))));
    check(
        noClasses()
            .that()
            .resideInAPackage(INTERNAL)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(DESCRIBE));
  }

  @Test
  void spi_always_usesTheJdkAlone() {
    check(
        classes()
            .that()
            .resideInAnyPackage(SPI)
            .should()
            .onlyDependOnClassesThat(are(resideInAnyPackage(LANGUAGE).or(in(SPI)))));
  }

  @Test
  void stores_always_knowNothingOfJobs() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(STORES, MEMTABLE, "io.millrace.spi..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(API, ENGINE, INTERNAL));
  }

  /** It is over any store: what it takes of one in memory are its trees. */
  @Test
  void memtable_always_namesNoStoreAndOnlyThoseOfAFolderNameIt() {
    check(
        classes()
            .that()
            .resideInAPackage(MEMTABLE)
            .should()
            .onlyDependOnClassesThat(
                are(
                    resideInAnyPackage(LANGUAGE)
                        .or(in(SPI))
                        .or(in(MEMTABLE))
                        .or(in("org.slf4j"))
                        .or(nameMatching("io\\.millrace\\.store\\.memory\\.Row(Tree|Cursor)")))));
    check(
        noClasses()
            .that()
            .resideInAnyPackage(STORES, "io.millrace.spi..")
            .and()
            .resideOutsideOfPackages("io.millrace.store.lmdb..", "io.millrace.store.rocksdb..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(MEMTABLE));
  }

  @Test
  void logOfTheMemtable_always_knowsTheSpiAlone() {
    check(
        classes()
            .that()
            .resideInAPackage(LOG)
            .should()
            .onlyDependOnClassesThat(are(resideInAnyPackage(LANGUAGE).or(in(SPI)).or(in(LOG)))));
  }

  @Test
  void engine_always_namesNoStore() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(API, ENGINE, INTERNAL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                STORES, MEMTABLE, "io.millrace.spi.folder..", "io.millrace.spi.testkit.."));
  }

  @Test
  void nativeTypes_ofAStore_stayInItsPackage() {
    NATIVE.forEach(
        (store, types) -> {
          check(
              noClasses()
                  .that()
                  .resideOutsideOfPackage(store)
                  .should()
                  .dependOnClassesThat()
                  .resideInAnyPackage(types));
          check(
              noMethods()
                  .that()
                  .arePublic()
                  .and()
                  .areDeclaredInClassesThat()
                  .arePublic()
                  .and()
                  .areDeclaredInClassesThat()
                  .resideInAPackage(store)
                  .should()
                  .haveRawReturnType(in(types)));
        });
  }

  /** One way to hand out a number that may be missing. */
  @Test
  void optionalNumbers_ofPublicMethods_areThoseOfPrimitives() {
    Set<String> boxed =
        OURS.stream()
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .flatMap(type -> type.getMethods().stream())
            .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(method -> BOXED.contains(method.getReturnType().getName()))
            .map(JavaMethod::getFullName)
            .collect(sorted());

    assertThat(boxed).as("OptionalInt, OptionalLong and OptionalDouble say it").isEmpty();
  }

  @Test
  void clocks_insideTheEngine_areHandedIn() {
    check(
        noClasses()
            .that()
            .resideInAPackage(INTERNAL)
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Clock.class, "systemUTC"));
  }

  @Test
  void dependencies_thatNeedFlagsOrReachIntoTheJdk_areNotUsed() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "sun..",
                "jdk.internal..",
                "java.util.logging..",
                "org.agrona.concurrent.ringbuffer..",
                "org.agrona.concurrent.broadcast..")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("org\\.agrona\\.(concurrent\\.)?\\w*(Buffer|Queue)")
            .orShould()
            .dependOnClassesThat(
                are(
                    resideInAnyPackage("com.sun..")
                        .and(not(resideInAnyPackage(ATTACH, HTTP_SERVER))))));
  }

  @Test
  void attaching_whichNotEveryJavaCan_isDoneInOneClass() {
    check(
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.millrace.cli.place.LocalAgent")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ATTACH));
  }

  @Test
  void packages_all_areFreeOfCycles() {
    check(slices().matching("io.millrace.(**)").should().beFreeOfCycles());
  }

  @Test
  void packages_all_sayWhatTheyAreFor() {
    check(
        noClasses()
            .should()
            .resideInAnyPackage("..util..", "..utils..", "..common..", "..impl..", "..helper.."));
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(OURS);
  }

  private static DescribedPredicate<JavaClass> in(String... packages) {
    return resideInAnyPackage(packages);
  }

  private static List<JavaPackage> packages() {
    return OURS.stream().map(JavaClass::getPackage).distinct().toList();
  }

  private static Collector<String, ?, Set<String>> sorted() {
    return Collectors.toCollection(TreeSet::new);
  }
}
