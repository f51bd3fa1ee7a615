package io.millrace.store.postgresql;

import java.util.List;

/**
 * The statements of a store, for its schema. What they rely on is in the database alone.
 *
 * <p>On disk, never change without another {@link #FORMAT}:
 *
 * <pre>
 * millrace_store   one row: the format, the store's id, when it was made. Never changed.
 * millrace_guard   one row: (epoch, n), which each commit moves from n - 1 to n; how far commits
 *                  were asked to be durable; the bytes of all rows; until when it is its owner's
 * millrace_epoch   a row for each opening: its owner, and what the server was then
 * millrace_row     the rows: key and value
 * </pre>
 *
 * <p>What must not take more than one round trip is a function. Those that find rows forbid scans
 * of the whole table by themselves: a plan that was made while the table was small is kept for as
 * long as the connection is.
 */
final class Sql {

  /** The format of the tables and functions. */
  static final int FORMAT = 1;

  /** Tables that make a schema that of a store. */
  static final List<String> TABLES =
      List.of("millrace_store", "millrace_guard", "millrace_epoch", "millrace_row");

  /** The bytes that a row is said to take beside its key and value: headers, and its index. */
  static final int ROW_BYTES = 64;

  /** The number of openings that are remembered. */
  private static final int EPOCHS_KEPT = 1_000;

  /** The longest that a statement waits for another to end, as of a connection that broke. */
  private static final String LOCK_TIMEOUT = "5s";

  /** The longest that a view may be idle, as because its host is gone: it keeps back vacuuming. */
  private static final String IDLE_TIMEOUT = "60s";

  /** The server, as it is. */
  static final String SERVER =
      """
      select pg_is_in_recovery(), current_setting('fsync'), current_setting('full_page_writes'),
             current_setting('server_version_num')::int, current_setting('synchronous_commit'),
             current_setting('synchronous_standby_names')\
      """;

  /** The history of commits that the server is on. Not every user of every service may ask. */
  static final String TIMELINE =
      """
      select s.system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
      from pg_control_system() s\
      """;

  /** The tables and the like of a schema; the schema itself, with no name, if it is empty. */
  static final String SCHEMA =
      """
      select c.relname from pg_namespace s
      left join pg_class c on c.relnamespace = s.oid and c.relkind in ('r', 'p', 'v', 'm', 'f')
      where s.nspname = ? order by 1\
      """;

  /** The end of a transaction that has changed nothing, or is to change nothing. */
  static final String ROLLBACK = "rollback";

  /** A lock among those who make a schema, until the end of the transaction. */
  static final String MAKING_LOCK = "select pg_advisory_xact_lock(hashtext(?), 7)";

  private final String schema;

  Sql(String schema) {
    this.schema = '"' + schema.replace("\"", "\"\"") + '"';
  }

  /** Returns the statement with the schema's name in place of each {@code $S}. */
  private String here(String statement) {
    return statement.replace("$S", schema);
  }

  /** Returns the statement that makes a function, with our numbers in place of their names. */
  private String function(String statement) {
    return here(
        statement
            .replace("$TIMEOUT", LOCK_TIMEOUT)
            .replace("$ROW_BYTES", Integer.toString(ROW_BYTES))
            .replace("$FULL_STATE", SqlErrors.FULL_STATE)
            .replace("$OLD", Integer.toString(EPOCHS_KEPT - 1)));
  }

  String makeSchema() {
    return here("create schema $S");
  }

  /** Returns the statements that make the tables and functions of a new store. */
  List<String> makeStore() {
    return List.of(
        here(
            """
            create table $S.millrace_store (
              format int not null, store_id text not null, made_at timestamptz not null)\
            """),
        here(
            """
            create table $S.millrace_guard (
              epoch bigint not null, n bigint not null, synced bigint not null,
              bytes bigint not null, owned_until timestamptz not null)
            with (fillfactor = 10)\
            """),
        here(
            """
            create table $S.millrace_epoch (
              epoch bigint primary key, start_n bigint not null, begun_at timestamptz not null,
              host text not null, pid bigint not null, node text not null, address text not null,
              timeline text not null, is_replicated boolean not null)\
            """),
        here(
            """
            create table $S.millrace_row (k bytea primary key, v bytea not null)
            with (fillfactor = 90)\
            """),
        here("alter table $S.millrace_row alter column k set storage plain"),
        here("alter table $S.millrace_row alter column v set storage external"),
        function(KEEP),
        function(WRITE),
        function(ACQUIRE),
        here("insert into $S.millrace_guard values (0, 0, 0, 0, '-infinity')"),
        here("insert into $S.millrace_store values (?, ?, clock_timestamp())"));
  }

  String store() {
    return here("select format, store_id from $S.millrace_store");
  }

  String guard() {
    return here("select epoch, n, synced, bytes from $S.millrace_guard");
  }

  String lastEpoch() {
    return here(
        "select timeline, is_replicated, start_n from $S.millrace_epoch order by epoch desc limit"
            + " 1");
  }

  String setTimeline() {
    return here("update $S.millrace_epoch set timeline = ?, is_replicated = ? where epoch = ?");
  }

  /** Returns the call that takes the store over; nine parameters, as the function says. */
  String acquire() {
    return here("select * from $S.millrace_acquire(?, ?, ?, ?, ?, ?, ?, ?, ?)");
  }

  /** Returns the call that writes a batch; eleven parameters, as the function says. */
  String write() {
    return here("select * from $S.millrace_write(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  }

  /** Returns the call that renews the ownership: epoch, whether it is durable, milliseconds. */
  String keep() {
    return here("select * from $S.millrace_keep(?, ?, ?)");
  }

  /** Returns the statement that begins a view, in a transaction of its own. */
  String beginView() {
    return here(
        "begin isolation level repeatable read, read only; set local"
            + " idle_in_transaction_session_timeout = '"
            + IDLE_TIMEOUT
            + "'; select epoch, n, synced, bytes from $S.millrace_guard");
  }

  /** Returns the look-up of keys, beside the guard as it is in the same moment. */
  String get() {
    return here(
        """
        select g.epoch, g.n, r.k, r.v from $S.millrace_guard g
        left join $S.millrace_row r on r.k = any (?)\
        """);
  }

  /**
   * Returns the look-up of the first rows of a range, so many and no more than so many bytes but
   * the first, beside the guard as it is in the same moment.
   */
  String scan() {
    return here(
        """
        select g.epoch, g.n, p.k, p.v from $S.millrace_guard g left join (
          select s.k, s.v from (
            select r.k, r.v,
              sum(octet_length(r.v)) over (order by r.k) - octet_length(r.v) as before
            from (select k, v from $S.millrace_row where k >= ? and k < ? order by k limit ?) r) s
          where s.before < ?) p on true
        order by p.k\
        """);
  }

  /** The bytes that the rows of a schema take on the server's disk, with their index. */
  static final String USED_BYTES =
      """
      select pg_total_relation_size(c.oid) from pg_class c
      join pg_namespace s on s.oid = c.relnamespace
      where s.nspname = ? and c.relname = 'millrace_row'\
      """;

  /**
   * Makes sure of the ownership: renews it if the epoch is still this one, and says in any case
   * where the guard is.
   */
  private static final String KEEP =
      """
      create function $S.millrace_keep(of_epoch bigint, is_durable boolean, owned_ms bigint)
      returns table (
        at_epoch bigint, at_n bigint, at_synced bigint, at_bytes bigint, now_us bigint)
      language plpgsql set lock_timeout = '$TIMEOUT' as $millrace$
      begin
        if not is_durable then
          perform set_config('synchronous_commit', 'off', true);
        elsif current_setting('synchronous_commit') = 'off' then
          perform set_config('synchronous_commit', 'on', true);
        end if;
        update $S.millrace_guard g
        set owned_until = clock_timestamp() + owned_ms * interval '1 millisecond',
            synced = case when is_durable then g.n else g.synced end
        where g.epoch = of_epoch;
        return query select g.epoch, g.n, g.synced, g.bytes,
          (extract(epoch from clock_timestamp()) * 1000000)::bigint
        from $S.millrace_guard g;
      end $millrace$\
      """;

  /**
   * Writes a batch if the guard is at (of_epoch, previous), and else does what {@link #KEEP} does,
   * which is a write as well: it waits for a statement of a connection that broke, and makes
   * durable what that may have left visible and not yet replicated.
   *
   * <p>{@code gone} are the keys that are deleted, {@code changed} those of the put keys that may
   * have a value already, {@code added_bytes} what all that is put takes.
   */
  private static final String WRITE =
      """
      create function $S.millrace_write(
        of_epoch bigint, previous bigint, next bigint, is_durable boolean, owned_ms bigint,
        bytes_max bigint, added_bytes bigint, gone bytea[], changed bytea[], ks bytea[], vs bytea[])
      returns table (
        at_epoch bigint, at_n bigint, at_synced bigint, at_bytes bigint, now_us bigint)
      language plpgsql set enable_seqscan = off set lock_timeout = '$TIMEOUT' as $millrace$
      declare
        had_bytes bigint;
        freed bigint := 0;
        more bigint := 0;
      begin
        select g.bytes into had_bytes from $S.millrace_guard g
        where g.epoch = of_epoch and g.n = previous for no key update;
        if not found then
          return query select * from $S.millrace_keep(of_epoch, is_durable, owned_ms);
          return;
        end if;
        if not is_durable then
          perform set_config('synchronous_commit', 'off', true);
        elsif current_setting('synchronous_commit') = 'off' then
          perform set_config('synchronous_commit', 'on', true);
        end if;
        if cardinality(gone) > 0 then
          with d as (
            delete from $S.millrace_row r where r.k = any (gone)
            returning octet_length(r.k) + octet_length(r.v) + $ROW_BYTES as b)
          select coalesce(sum(d.b), 0) into freed from d;
        end if;
        if cardinality(changed) > 0 then
          select coalesce(sum(octet_length(r.k) + octet_length(r.v) + $ROW_BYTES), 0) into more
          from $S.millrace_row r where r.k = any (changed);
          freed := freed + more;
        end if;
        if added_bytes > freed and had_bytes - freed + added_bytes > bytes_max then
          raise exception
            'rows would be larger than the store may be: bytes=%, needed=%, most=%',
            had_bytes, had_bytes - freed + added_bytes, bytes_max using errcode = '$FULL_STATE';
        end if;
        if cardinality(ks) > 0 then
          insert into $S.millrace_row as r select u.k, u.v from unnest(ks, vs) u (k, v)
          on conflict (k) do update set v = excluded.v;
        end if;
        return query update $S.millrace_guard g
        set n = next, bytes = had_bytes - freed + added_bytes,
            synced = case when is_durable then next else g.synced end,
            owned_until = clock_timestamp() + owned_ms * interval '1 millisecond'
        returning g.epoch, g.n, g.synced, g.bytes,
          (extract(epoch from clock_timestamp()) * 1000000)::bigint;
      end $millrace$\
      """;

  /**
   * Takes the store over if it is free or was this very owner's, and says in any case who has it
   * now, and for how long. Doing so twice is no harm: the later epoch counts.
   */
  private static final String ACQUIRE =
      """
      create function $S.millrace_acquire(
        a_host text, a_pid bigint, a_node text, an_address text, owned_ms bigint, step bigint,
        least_epoch bigint, a_timeline text, is_replicated boolean)
      returns table (
        at_epoch bigint, at_n bigint, at_synced bigint, at_bytes bigint, now_us bigint,
        is_taken boolean,
        its_host text, its_pid bigint, its_node text, its_address text, free_ms bigint)
      language plpgsql set lock_timeout = '$TIMEOUT' as $millrace$
      declare
        held_ms bigint;
        is_free boolean;
      begin
        if current_setting('synchronous_commit') = 'off' then
          perform set_config('synchronous_commit', 'on', true);
        end if;
        perform 1 from $S.millrace_guard for no key update;
        select g.owned_until < clock_timestamp()
            or coalesce((e.host, e.pid, e.node) = (a_host, a_pid, a_node), false),
          ceil(extract(epoch from greatest(g.owned_until, clock_timestamp()) - clock_timestamp())
            * 1000)::bigint
        into is_free, held_ms
        from $S.millrace_guard g left join $S.millrace_epoch e on e.epoch = g.epoch;
        if is_free then
          update $S.millrace_guard g
          set epoch = greatest(g.epoch + step, least_epoch,
                (select max(o.epoch) + 1 from $S.millrace_epoch o)),
              synced = g.n,
              owned_until = clock_timestamp() + owned_ms * interval '1 millisecond';
          insert into $S.millrace_epoch
          select g.epoch, g.n, clock_timestamp(), a_host, a_pid, a_node, an_address, a_timeline,
            is_replicated
          from $S.millrace_guard g;
          delete from $S.millrace_epoch e where e.epoch < (
            select o.epoch from $S.millrace_epoch o order by o.epoch desc offset $OLD limit 1);
          held_ms := owned_ms;
        end if;
        return query select g.epoch, g.n, g.synced, g.bytes,
          (extract(epoch from clock_timestamp()) * 1000000)::bigint, is_free,
          coalesce(e.host, 'unknown'), coalesce(e.pid, 0), coalesce(e.node, 'unknown'),
          coalesce(e.address, ''), held_ms
        from $S.millrace_guard g left join $S.millrace_epoch e on e.epoch = g.epoch;
      end $millrace$\
      """;
}
