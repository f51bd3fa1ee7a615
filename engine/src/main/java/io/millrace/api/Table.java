package io.millrace.api;

import io.millrace.MillraceException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A user's own rows in the same store as the jobs: ordered keys, each with a value. Any thread may
 * use it, for as long as its engine is open. It holds no resources.
 *
 * <p>The table is created by its first put, and exists until it is dropped, whether it has rows or
 * not. A table and a queue of the same name have nothing else in common. If a table is used with
 * different codecs, the user makes sure that they understand each other's bytes.
 *
 * <p>Each call is one step: it happens as a whole or not at all, and when it returns it is as
 * durable as the engine's {@link EngineOptions#durability} or {@link #with} says. The order of
 * calls is that of their commits; the requests of one thread are committed in their order. Keys
 * have at most {@value Limits#KEY_BYTES_MAX} bytes, values at most {@value
 * Limits#TABLE_VALUE_BYTES_MAX}.
 *
 * <p><b>Errors.</b> Changes throw the exceptions that operations of {@link JobQueue} throw,
 * themselves or by their futures, which leave behind what is said there. If the store is full, puts
 * are refused, and deletes go on. {@link IllegalArgumentException} is thrown for a key or a value
 * that is longer, or that its codec cannot encode; nothing happened then.
 */
public interface Table<K, V> extends TableReader<K, V> {

  /**
   * Returns the same table with another durability: every change through it waits for this level in
   * place of the engine's.
   */
  Table<K, V> with(Durability durability);

  /**
   * Puts a row, and replaces the row with this key if there is one.
   *
   * @throws IllegalArgumentException the key or the value is too long, or cannot be encoded;
   *     nothing happened
   * @throws MillraceException as every operation; see {@link Table}
   */
  void put(K key, V value);

  /**
   * Puts a row and returns a future; see {@link #put}.
   *
   * @throws IllegalArgumentException as {@link #put}, at once; for errors of the future see {@link
   *     Table}
   */
  @CheckReturnValue
  CompletableFuture<Void> putAsync(K key, V value);

  /**
   * Puts many rows in one commit, in order: of two with one key the last stays.
   *
   * @param rows at most {@value Limits#CALL_ROW_COUNT_MAX}, with at most {@value
   *     Limits#CALL_BYTES_MAX} bytes together
   * @throws IllegalArgumentException there are more rows or bytes, or as {@link #put}; nothing
   *     happened
   * @throws MillraceException as every operation; see {@link Table}
   */
  void putAll(List<TableRow<K, V>> rows);

  /**
   * Puts many rows and returns a future; see {@link #putAll}.
   *
   * @throws IllegalArgumentException as {@link #putAll}, at once; for errors of the future see
   *     {@link Table}
   */
  @CheckReturnValue
  CompletableFuture<Void> putAllAsync(List<TableRow<K, V>> rows);

  /**
   * Deletes a row. Returns whether there was one.
   *
   * @throws IllegalArgumentException the key is too long, or cannot be encoded; nothing happened
   * @throws MillraceException as every operation; see {@link Table}
   */
  boolean delete(K key);

  /**
   * Deletes a row and returns a future; see {@link #delete}.
   *
   * @throws IllegalArgumentException as {@link #delete}, at once; for errors of the future see
   *     {@link Table}
   */
  @CheckReturnValue
  CompletableFuture<Boolean> deleteAsync(K key);

  /**
   * Deletes many rows in one commit. Returns for each key, in order, whether there was a row.
   *
   * @param keys at most {@value Limits#CALL_ROW_COUNT_MAX}
   * @throws IllegalArgumentException there are more keys, or as {@link #delete}; nothing happened
   * @throws MillraceException as every operation; see {@link Table}
   */
  List<Boolean> deleteAll(List<K> keys);

  /**
   * Deletes many rows and returns a future; see {@link #deleteAll}.
   *
   * @throws IllegalArgumentException as {@link #deleteAll}, at once; for errors of the future see
   *     {@link Table}
   */
  @CheckReturnValue
  CompletableFuture<List<Boolean>> deleteAllAsync(List<K> keys);

  /**
   * Puts a row if there is none with this key; otherwise returns the value of the existing row.
   *
   * @throws IllegalArgumentException the key or the value is too long, or cannot be encoded;
   *     nothing happened
   * @throws CodecException the value that was found was written with another codec; nothing
   *     happened
   * @throws MillraceException as every operation; see {@link Table}
   */
  @CheckReturnValue
  RowResult<V> putIfAbsent(K key, V value);

  /**
   * Puts a row if there is none with this key, and returns a future; see {@link #putIfAbsent}.
   *
   * @throws IllegalArgumentException as {@link #putIfAbsent}, at once; for errors of the future see
   *     {@link Table}
   */
  @CheckReturnValue
  CompletableFuture<RowResult<V>> putIfAbsentAsync(K key, V value);

  /**
   * Replaces the value of a row if it is the expected one; otherwise returns what was found. Values
   * are compared by the bytes that the codec makes of them.
   *
   * @throws IllegalArgumentException the key or a value is too long, or cannot be encoded; nothing
   *     happened
   * @throws CodecException the value that was found was written with another codec; nothing
   *     happened
   * @throws MillraceException as every operation; see {@link Table}
   */
  @CheckReturnValue
  RowResult<V> replace(K key, V expected, V value);

  /**
   * Replaces the value of a row if it is the expected one, and returns a future; see {@link
   * #replace}.
   *
   * @throws IllegalArgumentException as {@link #replace}, at once; for errors of the future see
   *     {@link Table}
   */
  @CheckReturnValue
  CompletableFuture<RowResult<V>> replaceAsync(K key, V expected, V value);

  /**
   * Deletes a row if its value is the expected one; otherwise returns what was found.
   *
   * @throws IllegalArgumentException the key or a value is too long, or cannot be encoded; nothing
   *     happened
   * @throws CodecException the value that was found was written with another codec; nothing
   *     happened
   * @throws MillraceException as every operation; see {@link Table}
   */
  @CheckReturnValue
  RowResult<V> deleteIf(K key, V expected);

  /**
   * Deletes a row if its value is the expected one, and returns a future; see {@link #deleteIf}.
   *
   * @throws IllegalArgumentException as {@link #deleteIf}, at once; for errors of the future see
   *     {@link Table}
   */
  @CheckReturnValue
  CompletableFuture<RowResult<V>> deleteIfAsync(K key, V expected);

  /**
   * Drops the table with all of its rows. When it returns the rows can no longer be seen, and a
   * new, empty table of the same name can be created. The rows that are still stored are removed in
   * the background, in bounded steps that a restart resumes.
   *
   * @return whether there was such a table
   * @throws MillraceException as every operation; see {@link Table}
   */
  boolean drop();
}
