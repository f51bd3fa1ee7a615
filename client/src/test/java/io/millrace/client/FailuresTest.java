package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.api.BatchId;
import io.millrace.api.BatchOverException;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.QueueLeasedException;
import io.millrace.api.TransactionConflictException;
import io.millrace.server.ToldKinds;
import io.millrace.spi.StoreException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FailuresTest {

  private static final BatchId BATCH = new BatchId(0xbeef);

  /** Exceptions that a client throws of results that it was told, and a server never tells. */
  private static final Set<Class<?>> OF_RESULTS =
      Set.of(QueueLeasedException.class, TransactionConflictException.class);

  /** Returns the public exceptions for which a server has codes, and all others of the API. */
  static List<Class<?>> exceptions() throws IOException, URISyntaxException {
    Set<Class<?>> all = new TreeSet<>((one, other) -> one.getName().compareTo(other.getName()));
    all.addAll(ToldKinds.exceptions());
    all.addAll(publicExceptions(MillraceException.class));
    all.addAll(publicExceptions(StoreException.class));
    all.addAll(publicExceptions(BatchOverException.class));
    all.removeAll(OF_RESULTS);
    all.removeIf(type -> type.getPackageName().equals(ToldKinds.class.getPackageName()));
    assertThat(all).hasSizeGreaterThan(20);
    return List.copyOf(all);
  }

  @ParameterizedTest
  @MethodSource("exceptions")
  void exception_ofEachKindThatAServerTells_isTheSameWithItsMessage(Class<?> type) {
    RuntimeException thrown = thrown(type);

    RuntimeException told = Failures.exception(ToldKinds.kind(thrown), thrown.getMessage());

    assertThat(told).isExactlyInstanceOf(type).hasMessage(thrown.getMessage());
  }

  @Test
  void exception_ofABatch_knowsItsId() {
    for (RuntimeException thrown :
        List.of(new NoSuchBatchException(BATCH), new BatchOverException(BATCH))) {
      RuntimeException told = Failures.exception(ToldKinds.kind(thrown), thrown.getMessage());
      BatchId id =
          told instanceof NoSuchBatchException none ? none.id() : ((BatchOverException) told).id();
      assertThat(id).isEqualTo(BATCH);
    }
  }

  @Test
  void exception_whoseMessageIsAnotherVersions_isTheRootOfAll() {
    assertThat(Failures.exception("NoSuchBatch", "there is none"))
        .isExactlyInstanceOf(MillraceException.class)
        .hasMessage("there is none");
  }

  @Test
  void exception_ofAKindThatNobodyKnows_isTheRootOfAll() {
    for (String kind : List.of("Unauthenticated", "OfAnotherVersion", "NullPointer", "")) {
      assertThat(Failures.exception(kind, "what the server says"))
          .isExactlyInstanceOf(MillraceException.class)
          .hasMessage("what the server says");
    }
  }

  @Test
  void exception_ofAServerWithTooManyCalls_isOverloaded() {
    String kind = ToldKinds.kind(new RejectedExecutionException("calls under way"));

    assertThat(Failures.exception(kind, "x")).isExactlyInstanceOf(EngineOverloadedException.class);
  }

  private static RuntimeException thrown(Class<?> type) {
    Map<Class<?>, RuntimeException> others =
        Map.of(
            IllegalArgumentException.class, new IllegalArgumentException("wrong"),
            CancellationException.class, new CancellationException("ended"),
            NoSuchBatchException.class, new NoSuchBatchException(BATCH),
            BatchOverException.class, new BatchOverException(BATCH));
    if (others.containsKey(type)) {
      return others.get(type);
    }
    try {
      return constructed(type);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("exception cannot be made of a message: " + type, e);
    }
  }

  private static RuntimeException constructed(Class<?> type) throws ReflectiveOperationException {
    String message = "message of " + type.getSimpleName() + ": job=7";
    try {
      return (RuntimeException) type.getConstructor(String.class).newInstance(message);
    } catch (NoSuchMethodException e) {
      return (RuntimeException)
          type.getConstructor(String.class, Throwable.class).newInstance(message, null);
    }
  }

  /** Returns the public exceptions that are in one package and artifact with the given one. */
  private static Set<Class<?>> publicExceptions(Class<?> beside)
      throws IOException, URISyntaxException {
    URI uri = beside.getResource(beside.getSimpleName() + ".class").toURI();
    if (!uri.getScheme().equals("jar")) {
      return publicExceptions(Path.of(uri).getParent(), beside);
    }
    try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
      return publicExceptions(
          jar.getPath(beside.getPackageName().replace('.', '/')).toAbsolutePath(), beside);
    }
  }

  private static Set<Class<?>> publicExceptions(Path folder, Class<?> beside) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("Exception.class"))
          .map(name -> type(beside.getPackageName() + "." + name.replace(".class", "")))
          .collect(Collectors.toSet());
    }
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
