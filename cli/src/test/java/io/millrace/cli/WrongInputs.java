package io.millrace.cli;

import io.millrace.api.QueueName;
import io.millrace.cli.fixture.ChildEngine;
import io.millrace.cli.fixture.ChildWorkers;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.cli.fixture.PreparedStore;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.CRC32C;

/** What a careless user may name: stores sound and damaged, files for folders, processes. */
final class WrongInputs implements AutoCloseable {

  private static final HexFormat HEX = HexFormat.of();

  private final Path temp;
  private final Map<String, String> names = new HashMap<>();
  private final Process other;
  private final ChildEngine bare;
  private final ChildEngine engine;
  private final ChildEngine workers;

  WrongInputs(Path temp) throws IOException {
    this.temp = temp;
    nameFiles();
    nameStores();
    other = new ProcessBuilder("sleep", "600").start();
    bare = ChildEngine.start();
    PreparedStore held = PreparedStore.in(temp.resolve("held"));
    engine = ChildEngine.start("lmdb:" + held.path(), "lmdb:" + temp.resolve("held-too"));
    workers = ChildWorkers.start();
    names.put("held", held.path());
    names.put("pid.workers", Long.toString(workers.pid()));
    names.put("pid.engine", Long.toString(engine.pid()));
    names.put("pid.java", Long.toString(bare.pid()));
    names.put("pid.other", Long.toString(other.pid()));
    names.put("pid.me", Long.toString(ProcessHandle.current().pid()));
    names.put("no.id", "0".repeat(32));
    names.put("long", "x".repeat(300));
  }

  /** The names by which the table speaks of things. */
  Map<String, String> names() {
    return names;
  }

  private void nameFiles() throws IOException {
    names.put("none", temp.resolve("none").toString());
    put("file", Files.writeString(temp.resolve("file"), "text"));
    put("empty", Files.createDirectory(temp.resolve("empty")));
    put("loop", Files.createSymbolicLink(temp.resolve("loop"), Path.of("loop")));
    Path full = Files.createDirectory(temp.resolve("full"));
    Files.writeString(full.resolve("notes"), "mine");
    put("full", full);
    Path source = Files.createDirectory(temp.resolve("source"));
    Files.writeString(source.resolve("one"), "1");
    put("source", source);
    put("odd.header", header("odd", "\\u00"));
    put("no.kind", header("no-kind", "format=1\n"));
    put("paper", header("paper", "format=1\nstore=paper\n"));
    Path headerFolder = Files.createDirectory(temp.resolve("header-folder"));
    Files.createDirectory(headerFolder.resolve("MILLRACE"));
    put("header.folder", headerFolder);
    Path unfinished = header("unfinished", "format=1\nstore=lmdb\n");
    Files.createFile(unfinished.resolve("UNFINISHED-COPY"));
    put("unfinished", unfinished);
  }

  private void nameStores() throws IOException {
    PreparedStore store = PreparedStore.in(temp.resolve("jobs"));
    put("store", store.folder());
    names.put("ready", store.ready().toString());
    names.put("dead", store.dead().toString());
    put("rocks", PreparedStore.in("rocksdb", temp.resolve("rocks")).folder());
    Path cut = copy("cut");
    try (RandomAccessFile data = new RandomAccessFile(cut.resolve("data.mdb").toFile(), "rw")) {
      data.setLength(5_000);
    }
    Path zeros = copy("zeros");
    Files.write(zeros.resolve("data.mdb"), new byte[40_000]);
    Files.delete(copy("no-data").resolve("data.mdb"));
    Files.delete(copy("no-watermark").resolve("WATERMARK"));
    Files.writeString(copy("bad-header").resolve("MILLRACE"), "format=1\nstore=lmdb\n");
    Files.writeString(copy("newer").resolve("MILLRACE"), whole("format=99\nstore=lmdb\n"));
    Files.writeString(copy("other-kind").resolve("MILLRACE"), whole("format=1\nstore=rocksdb\n"));
    PreparedStore damaged = PreparedStore.in(temp.resolve("damaged"));
    damaged.damageQueue("mail");
    put("damaged", damaged.folder());
    nameDemos();
  }

  private void nameDemos() throws IOException {
    Path done = temp.resolve("demo");
    CommandRun.of("demo", temp.resolve("source").toString(), "--dir", done.toString());
    put("demo", done);
    Path noStore = temp.resolve("torn-demo");
    CommandRun.of("demo", temp.resolve("source").toString(), "--dir", noStore.toString());
    Files.write(noStore.resolve("store/data.mdb"), new byte[9_000]);
    put("torn.demo", noStore);
  }

  /** A sound store of its own, to be damaged. */
  private Path copy(String name) {
    Path folder = temp.resolve(name);
    Stores.copy(StorePlace.of("lmdb:" + temp.resolve("jobs")), StorePlace.of("lmdb:" + folder));
    try (JobEngine opened = JobEngine.open("lmdb:" + folder)) {
      opened.queue(QueueName.of("mail")).enqueue(new byte[1]);
    }
    put(name.replace('-', '.'), folder);
    return folder;
  }

  private Path header(String name, String text) throws IOException {
    Path folder = Files.createDirectory(temp.resolve(name));
    Files.writeString(folder.resolve("MILLRACE"), text);
    return folder;
  }

  /** A header whose checksum is right. */
  private static String whole(String text) {
    String fields = text + "id=" + "0".repeat(32) + "\ncreated=now\n";
    CRC32C crc = new CRC32C();
    crc.update(fields.getBytes(StandardCharsets.UTF_8));
    return fields + "crc=" + HEX.toHexDigits((int) crc.getValue()) + "\n";
  }

  private void put(String name, Path path) {
    names.put(name, path.toString());
  }

  @Override
  public void close() throws IOException {
    engine.close();
    workers.close();
    bare.close();
    other.destroyForcibly();
  }
}
