package io.millrace.api;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A user's own rows, in the same store as the jobs: ordered keys, each with a value. Any thread may
 * use it, for as long as its engine is open; it holds no resources.
 *
 * <p>The table comes to be with its first put, and is there until it is dropped, whether it has
 * rows or not. Tables have nothing but their names in common with queues. Whoever uses one by
 * different codecs sees to it that they understand each other's bytes.
 *
 * <p>Each call is one step: it happens whole or not at all, and when it returns it is as durable as
 * the engine's {@link EngineOptions#durability} or {@link #with} says. The order of calls is that
 * of their commits, which is that of requests of one thread. Changes throw what those of {@link
 * JobQueue} throw; if the store is full, puts are refused, and deletes go on. Keys have {@value
 * Limits#KEY_BYTES_MAX} bytes at most, values {@value Limits#TABLE_VALUE_BYTES_MAX}; what is longer
 * is refused with {@link IllegalArgumentException}, and nothing has happened.
 */
public interface Table<K, V> extends TableReader<K, V> {

  /** The same table, but every change through it waits for this level in place of the engine's. */
  Table<K, V> with(Durability durability);

  /** Puts a row, in place of one that has the key. */
  void put(K key, V value);

  /** As {@link #put}, by future. */
  @CheckReturnValue
  CompletableFuture<Void> putAsync(K key, V value);

  /**
   * Puts many rows in one commit, in order: of two with one key the last stays.
   *
   * @param rows {@value Limits#CALL_ROW_COUNT_MAX} at most, with {@value Limits#CALL_BYTES_MAX}
   *     bytes at most together
   */
  void putAll(List<TableRow<K, V>> rows);

  /** As {@link #putAll}, by future. */
  @CheckReturnValue
  CompletableFuture<Void> putAllAsync(List<TableRow<K, V>> rows);

  /** Deletes a row; answers whether there was one. */
  boolean delete(K key);

  /** As {@link #delete}, by future. */
  @CheckReturnValue
  CompletableFuture<Boolean> deleteAsync(K key);

  /**
   * Deletes many rows in one commit; answers for each key, in order, whether there was a row.
   *
   * @param keys {@value Limits#CALL_ROW_COUNT_MAX} at most
   */
  List<Boolean> deleteAll(List<K> keys);

  /** As {@link #deleteAll}, by future. */
  @CheckReturnValue
  CompletableFuture<List<Boolean>> deleteAllAsync(List<K> keys);

  /** Puts a row if none has the key; otherwise answers what that one holds. */
  @CheckReturnValue
  RowResult<V> putIfAbsent(K key, V value);

  /** As {@link #putIfAbsent}, by future. */
  @CheckReturnValue
  CompletableFuture<RowResult<V>> putIfAbsentAsync(K key, V value);

  /**
   * Puts a row in place of one that has the key and holds what is expected; otherwise answers what
   * there is. Compared are the bytes that the codec makes.
   */
  @CheckReturnValue
  RowResult<V> replace(K key, V expected, V value);

  /** As {@link #replace}, by future. */
  @CheckReturnValue
  CompletableFuture<RowResult<V>> replaceAsync(K key, V expected, V value);

  /** Deletes a row if it holds what is expected; otherwise answers what there is. */
  @CheckReturnValue
  RowResult<V> deleteIf(K key, V expected);

  /** As {@link #deleteIf}, by future. */
  @CheckReturnValue
  CompletableFuture<RowResult<V>> deleteIfAsync(K key, V expected);

  /**
   * Drops the table with all of its rows. When it returns nobody sees any of them any more, and a
   * table of the same name can come to be, without them; what is stored of them is removed in the
   * background, in bounded steps that a restart resumes.
   *
   * @return whether there was such a table
   */
  boolean drop();
}
