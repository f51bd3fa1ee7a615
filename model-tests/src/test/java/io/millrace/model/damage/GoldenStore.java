package io.millrace.model.damage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.engine.StorePlace;
import io.millrace.model.damage.Contents.Stop;
import io.millrace.spi.StoreOptions;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * A store as an older version left it, kept as a resource: an archive of its folder, and in text
 * what is in it.
 *
 * @param format the format of its folder: 2 has a log
 */
record GoldenStore(int format, Content content, String scheme, Stop stop) {

  /** The newest format of a folder that is known. */
  static final int FORMAT_MAX = 2;

  /** A job that is not done, in a line of {@link GoldenView}. */
  private static final Pattern UNFINISHED =
      Pattern.compile("(\\S+) [0-9a-f]{32} (?!DONE)[A-Z]+ priority .*");

  /** What is in it. */
  enum Content {
    JOBS(GoldenJobs::new),
    KEYS(GoldenKeys::new),
    WORKFLOWS(GoldenWorkflows::new),
    BATCHES(GoldenBatches::new);

    private final Function<StorePlace, GoldenWork> work;

    Content(Function<StorePlace, GoldenWork> work) {
      this.work = work;
    }

    /** When there were batches, there had long been logs. */
    int formatLeast() {
      return this == BATCHES ? 2 : 1;
    }

    GoldenWork work(StorePlace place) {
      return work.apply(place);
    }
  }

  /** Every one that there is; what the format gains adds some and takes none away. */
  static Stream<GoldenStore> all() {
    return Stream.of(Content.values()).flatMap(GoldenStore::of);
  }

  static Stream<GoldenStore> of(Content content) {
    return Stream.of(Stop.values())
        .flatMap(
            stop ->
                Stream.of(
                    new GoldenStore(1, content, "lmdb", stop),
                    new GoldenStore(1, content, "rocksdb", stop),
                    new GoldenStore(2, content, "lmdb", stop),
                    new GoldenStore(2, content, "rocksdb", stop)))
        .filter(golden -> golden.format() >= content.formatLeast());
  }

  /** Whether it was made. */
  boolean isThere() {
    return GoldenStore.class.getResource("/golden/" + archiveName()) != null;
  }

  /** Unpacks it into an absent folder. */
  StorePlace unpack(Path folder) throws IOException {
    try (ZipInputStream in = new ZipInputStream(resource(archiveName()))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        Path file = folder.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.copy(in, file);
      }
    }
    return place(folder);
  }

  /** What {@link GoldenView} shows of it. */
  List<String> view() throws IOException {
    try (InputStream in = resource(viewName())) {
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    }
  }

  /** Names of the jobs in the view that are not done once it is opened. */
  List<String> unfinished() throws IOException {
    List<String> view = view();
    return view.subList(view.indexOf(GoldenReading.OPENED), view.size()).stream()
        .map(UNFINISHED::matcher)
        .filter(Matcher::matches)
        .map(line -> line.group(1))
        .toList();
  }

  StorePlace place(Path folder) {
    return new StorePlace(StorePlace.of(scheme + ":" + folder).factory(), StoreOptions.of(folder));
  }

  /** Writes the archive of a store into a folder of archives. */
  void pack(Path store, Path archives) throws IOException {
    Path archive = archives.resolve(archiveName());
    try (ZipOutputStream out =
        new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(archive)))) {
      for (Path file : Specimen.files(store)) {
        out.putNextEntry(new ZipEntry(store.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
  }

  void writeView(List<String> lines, Path archives) throws IOException {
    Files.write(archives.resolve(viewName()), lines);
  }

  private String archiveName() {
    return name() + ".zip";
  }

  private String viewName() {
    return name() + ".txt";
  }

  private String name() {
    String kind = content == Content.JOBS ? "" : text(content) + "-";
    return "format-" + format + "-" + kind + scheme + "-" + text(stop);
  }

  private static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static InputStream resource(String name) {
    return Objects.requireNonNull(
        GoldenStore.class.getResourceAsStream("/golden/" + name), "resource /golden/" + name);
  }

  @Override
  public String toString() {
    return name();
  }
}
