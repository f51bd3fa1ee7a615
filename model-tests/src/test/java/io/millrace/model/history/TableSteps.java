package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.Limits;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.RowResult;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.engine.JobEngine;
import io.millrace.internal.format.Bytes;
import io.millrace.model.ModelTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Random changes of users' tables, each on the model and on an engine: what is answered, and what
 * is there. Few tables, keys and values, so that they meet. For one thread.
 */
public final class TableSteps {

  private static final List<String> TABLES = List.of("a", "b", "aa", "t".repeat(200));
  private static final byte[] PARTS = {0, 1, 0x7f, (byte) 0x80, (byte) 0xff};
  private static final int CALL_COUNT_MAX = 6;

  private final SplittableRandom random;

  public TableSteps(SplittableRandom random) {
    this.random = random;
  }

  /**
   * A change that is decided, and not made yet.
   *
   * @param model what it does to the model, and what it answers there
   * @param engine asks the engine by future
   * @param blocking asks it and waits
   * @param isByFuture whether the former does not wait
   */
  public record Change(
      Function<ModelTables, String> model,
      Function<JobEngine, CompletableFuture<String>> engine,
      Function<JobEngine, String> blocking,
      boolean isByFuture) {}

  private static Table<byte[], byte[]> table(JobEngine engine, String name) {
    return engine.table(name, Codec.BYTES, Codec.BYTES);
  }

  /** The next change. */
  public Change next() {
    String name = TABLES.get(random.nextInt(TABLES.size()));
    byte[] key = key();
    byte[] value = value();
    return switch (random.nextInt(16)) {
      case 0, 1, 2, 3 ->
          change(
              model -> {
                model.put(name, key, value);
                return "put";
              },
              engine -> table(engine, name).putAsync(key, value).thenApply(done -> "put"),
              engine -> {
                table(engine, name).put(key, value);
                return "put";
              });
      case 4, 5 ->
          change(
              model -> "deleted " + model.delete(name, key),
              engine -> table(engine, name).deleteAsync(key).thenApply(was -> "deleted " + was),
              engine -> "deleted " + table(engine, name).delete(key));
      case 6, 7, 8, 9, 10, 11 -> onCondition(name, key, value);
      case 12, 13 -> putAll(name);
      case 14 -> deleteAll(name);
      default ->
          new Change(
              model -> "dropped " + model.drop(name),
              engine -> CompletableFuture.completedFuture("dropped " + table(engine, name).drop()),
              engine -> "dropped " + table(engine, name).drop(),
              false);
    };
  }

  private Change onCondition(String name, byte[] key, byte[] value) {
    byte[] expected = value();
    return switch (random.nextInt(3)) {
      case 0 ->
          change(
              model -> {
                Optional<byte[]> found = model.get(name, key);
                if (found.isEmpty()) {
                  model.put(name, key, value);
                }
                return found.map(TableSteps::other).orElse("done");
              },
              engine -> table(engine, name).putIfAbsentAsync(key, value).thenApply(this::text),
              engine -> text(table(engine, name).putIfAbsent(key, value)));
      case 1 ->
          change(
              model -> {
                if (!model.holds(name, key, expected)) {
                  return model.get(name, key).map(TableSteps::other).orElse("none");
                }
                model.put(name, key, value);
                return "done";
              },
              engine ->
                  table(engine, name).replaceAsync(key, expected, value).thenApply(this::text),
              engine -> text(table(engine, name).replace(key, expected, value)));
      default ->
          change(
              model -> {
                if (!model.holds(name, key, expected)) {
                  return model.get(name, key).map(TableSteps::other).orElse("none");
                }
                model.delete(name, key);
                return "done";
              },
              engine -> table(engine, name).deleteIfAsync(key, expected).thenApply(this::text),
              engine -> text(table(engine, name).deleteIf(key, expected)));
    };
  }

  private static Change change(
      Function<ModelTables, String> model,
      Function<JobEngine, CompletableFuture<String>> engine,
      Function<JobEngine, String> blocking) {
    return new Change(model, engine, blocking, true);
  }

  private Change putAll(String name) {
    List<TableRow<byte[], byte[]>> rows = new ArrayList<>();
    for (int i = random.nextInt(CALL_COUNT_MAX); i >= 0; i--) {
      rows.add(new TableRow<>(key(), value()));
    }
    return change(
        model -> {
          rows.forEach(row -> model.put(name, row.key(), row.value()));
          return "put";
        },
        engine -> table(engine, name).putAllAsync(rows).thenApply(done -> "put"),
        engine -> {
          table(engine, name).putAll(rows);
          return "put";
        });
  }

  private Change deleteAll(String name) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = random.nextInt(CALL_COUNT_MAX); i >= 0; i--) {
      keys.add(key());
    }
    return change(
        model -> keys.stream().map(key -> model.delete(name, key)).toList().toString(),
        engine -> table(engine, name).deleteAllAsync(keys).thenApply(List::toString),
        engine -> table(engine, name).deleteAll(keys).toString());
  }

  private byte[] key() {
    if (random.nextInt(12) == 0) {
      byte[] longest = new byte[Limits.KEY_BYTES_MAX];
      Arrays.fill(longest, PARTS[random.nextInt(PARTS.length)]);
      return longest;
    }
    byte[] key = new byte[random.nextInt(3)];
    for (int i = 0; i < key.length; i++) {
      key[i] = PARTS[random.nextInt(PARTS.length)];
    }
    return key;
  }

  private byte[] value() {
    byte[] value = new byte[random.nextInt(3)];
    Arrays.fill(value, (byte) random.nextInt(2));
    return value;
  }

  private String text(RowResult<byte[]> result) {
    return result instanceof RowResult.Other<byte[]> other
        ? other.found().map(TableSteps::other).orElse("none")
        : "done";
  }

  private static String other(byte[] found) {
    return "other " + Bytes.hex(found);
  }

  /** All that there is, as text: by the model. */
  public static String all(ModelTables model) {
    StringBuilder all = new StringBuilder();
    for (String name : model.names()) {
      all.append(name).append(texts(model.rows(name, Optional.empty(), Optional.empty())));
    }
    return all.toString();
  }

  /** All that there is, as text: by the engine. */
  public static String all(JobEngine engine) {
    StringBuilder all = new StringBuilder();
    for (String name : engine.tables(PageRequest.first(100)).items()) {
      all.append(name).append(texts(rows(table(engine, name), TableRange.all(), 3)));
    }
    return all.toString();
  }

  /** Looks at one row and at one range, in both. */
  public void compare(ModelTables model, JobEngine engine) {
    String name = TABLES.get(random.nextInt(TABLES.size()));
    Table<byte[], byte[]> table = table(engine, name);
    byte[] from = key();
    byte[] to = key();
    int size = 1 + random.nextInt(4);
    assertThat(table.get(from).map(Bytes::hex)).isEqualTo(model.get(name, from).map(Bytes::hex));
    assertThat(texts(rows(table, TableRange.between(from, to), size)))
        .isEqualTo(texts(model.rows(name, Optional.of(from), Optional.of(to))));
    assertThat(texts(rows(table, TableRange.from(from), size)))
        .isEqualTo(texts(model.rows(name, Optional.of(from), Optional.empty())));
    assertThat(texts(rows(table, TableRange.before(to), size)))
        .isEqualTo(texts(model.rows(name, Optional.empty(), Optional.of(to))));
    assertThat(texts(rows(table, TableRange.prefix(from), size)))
        .isEqualTo(texts(model.rows(name, from)));
    assertThat(table.count(TableRange.prefix(from))).isEqualTo(model.rows(name, from).size());
  }

  private static List<TableRow<byte[], byte[]>> rows(
      Table<byte[], byte[]> table, TableRange<byte[]> range, int size) {
    List<TableRow<byte[], byte[]>> found = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    do {
      Page<TableRow<byte[], byte[]>> page = table.scan(range, new PageRequest(size, cursor));
      assertThat(page.items().size()).isLessThanOrEqualTo(size);
      found.addAll(page.items());
      cursor = page.next();
    } while (cursor.isPresent());
    return found;
  }

  private static String texts(List<TableRow<byte[], byte[]>> rows) {
    return rows.stream()
        .map(row -> Bytes.hex(row.key()) + "=" + Bytes.hex(row.value()))
        .toList()
        .toString();
  }
}
