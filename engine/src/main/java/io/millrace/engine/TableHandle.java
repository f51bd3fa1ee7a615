package io.millrace.engine;

import io.millrace.api.Durability;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.RowResult;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableReader;
import io.millrace.api.TableRow;
import io.millrace.calls.TableCodecs;
import io.millrace.internal.transition.table.ChangeRows;
import io.millrace.internal.transition.table.DropTable;
import io.millrace.internal.transition.table.RowChange;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A user's table as its users see it. Keys and values become bytes on the caller's thread, before
 * anything happens.
 */
final class TableHandle<K, V> implements CodedTable<K, V> {

  private final EngineCore core;
  private final TableCodecs<K, V> codecs;

  TableHandle(EngineCore core, TableCodecs<K, V> codecs) {
    this.core = core;
    this.codecs = codecs;
  }

  @Override
  public String name() {
    return codecs.table();
  }

  @Override
  public TableCodecs<K, V> codecs() {
    return codecs;
  }

  @Override
  public boolean isOf(Submitter submitter) {
    return core.submitter().isOfSameEngine(submitter);
  }

  @Override
  public Table<K, V> with(Durability durability) {
    return new TableHandle<>(core.with(durability), codecs);
  }

  @Override
  public Optional<V> get(K key) {
    return read("tx.get", table -> table.get(key));
  }

  @Override
  public List<Optional<V>> getAll(List<K> wanted) {
    return read("tx.get", table -> table.getAll(wanted));
  }

  @Override
  public Page<TableRow<K, V>> scan(TableRange<K> range, PageRequest page) {
    return read("tx.scan", table -> table.scan(range, page));
  }

  @Override
  public long count(TableRange<K> range) {
    return read("tx.scan", table -> table.count(range));
  }

  @Override
  public void put(K key, V value) {
    change(putting(key, value));
  }

  @Override
  public CompletableFuture<Void> putAsync(K key, V value) {
    return changeAsync(changing(putting(key, value)));
  }

  @Override
  public void putAll(List<TableRow<K, V>> rows) {
    List<RowChange> changes = puttingAll(rows);
    if (!changes.isEmpty()) {
      core.submitter().call(new ChangeRows(name(), changes));
    }
  }

  @Override
  public CompletableFuture<Void> putAllAsync(List<TableRow<K, V>> rows) {
    List<RowChange> changes = puttingAll(rows);
    return changes.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : changeAsync(new ChangeRows(name(), changes));
  }

  @Override
  public boolean delete(K key) {
    return change(RowChange.delete(codecs.key(key))).isChanged();
  }

  @Override
  public CompletableFuture<Boolean> deleteAsync(K key) {
    return core.submitter()
        .callAsync(
            changing(RowChange.delete(codecs.key(key))), outcomes -> outcomes.get(0).isChanged());
  }

  @Override
  public List<Boolean> deleteAll(List<K> wanted) {
    List<RowChange> changes = deletingAll(wanted);
    return changes.isEmpty()
        ? List.of()
        : wereThere(core.submitter().call(new ChangeRows(name(), changes)));
  }

  @Override
  public CompletableFuture<List<Boolean>> deleteAllAsync(List<K> wanted) {
    List<RowChange> changes = deletingAll(wanted);
    return changes.isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : core.submitter().callAsync(new ChangeRows(name(), changes), TableHandle::wereThere);
  }

  @Override
  public RowResult<V> putIfAbsent(K key, V value) {
    return result(change(puttingIfAbsent(key, value)));
  }

  @Override
  public CompletableFuture<RowResult<V>> putIfAbsentAsync(K key, V value) {
    return resultAsync(puttingIfAbsent(key, value));
  }

  @Override
  public RowResult<V> replace(K key, V expected, V value) {
    return result(change(replacing(key, expected, value)));
  }

  @Override
  public CompletableFuture<RowResult<V>> replaceAsync(K key, V expected, V value) {
    return resultAsync(replacing(key, expected, value));
  }

  @Override
  public RowResult<V> deleteIf(K key, V expected) {
    return result(change(deletingIf(key, expected)));
  }

  @Override
  public CompletableFuture<RowResult<V>> deleteIfAsync(K key, V expected) {
    return resultAsync(deletingIf(key, expected));
  }

  @Override
  public boolean drop() {
    boolean wasThere = core.submitter().call(new DropTable(name()));
    Acts.onTable("dropped", name(), "there=" + wasThere);
    return wasThere;
  }

  private <R> R read(String call, Function<TableReader<K, V>, R> question) {
    core.functions().check(call);
    return core.read(
        reader -> question.apply(reader.table(name(), codecs.keys(), codecs.values())));
  }

  private RowChange putting(K key, V value) {
    return RowChange.put(codecs.key(key), codecs.value(value));
  }

  private RowChange puttingIfAbsent(K key, V value) {
    return RowChange.putIfAbsent(codecs.key(key), codecs.value(value));
  }

  private RowChange replacing(K key, V expected, V value) {
    return RowChange.replace(
        codecs.key(key), codecs.value("expected", expected), codecs.value(value));
  }

  private RowChange deletingIf(K key, V expected) {
    return RowChange.deleteIf(codecs.key(key), codecs.value("expected", expected));
  }

  private List<RowChange> puttingAll(List<TableRow<K, V>> rows) {
    return codecs.rows(rows).stream().map(row -> RowChange.put(row.key(), row.value())).toList();
  }

  private List<RowChange> deletingAll(List<K> wanted) {
    return codecs.rowKeys(wanted).stream().map(RowChange::delete).toList();
  }

  private ChangeRows changing(RowChange change) {
    return new ChangeRows(name(), List.of(change));
  }

  private ChangeRows.Outcome change(RowChange change) {
    return core.submitter().call(changing(change)).get(0);
  }

  private CompletableFuture<RowResult<V>> resultAsync(RowChange change) {
    return core.submitter().callAsync(changing(change), outcomes -> result(outcomes.get(0)));
  }

  private RowResult<V> result(ChangeRows.Outcome outcome) {
    return outcome.isChanged()
        ? new RowResult.Done<>()
        : codecs.other(Optional.ofNullable(outcome.found()));
  }

  private static List<Boolean> wereThere(List<ChangeRows.Outcome> outcomes) {
    return outcomes.stream().map(ChangeRows.Outcome::isChanged).toList();
  }

  @SuppressWarnings("NullAway") // Null is all that there is of Void.
  private CompletableFuture<Void> changeAsync(ChangeRows change) {
    return core.submitter().callAsync(change, outcomes -> null);
  }

  @Override
  public String toString() {
    return "Table[" + name() + "]";
  }
}
