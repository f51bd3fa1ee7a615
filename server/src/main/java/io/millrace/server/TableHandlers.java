package io.millrace.server;

import static io.millrace.server.Handler.blocking;
import static io.millrace.server.Handler.later;
import static io.millrace.server.Handler.slow;
import static io.millrace.server.Role.OPERATE;
import static io.millrace.server.Role.READ;
import static io.millrace.server.Role.WORK;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.Table;
import io.millrace.protocol.TableCalls;
import java.util.List;

/** The handlers of calls on users' tables. */
final class TableHandlers {

  static final List<Handler<?, ?>> ALL =
      List.of(
          later(
              TableCalls.PutRows.class,
              WORK,
              (queues, call) ->
                  table(Handlers.as(queues, call.durability()), call.table())
                      .putAllAsync(call.rows())
                      .thenApply(done -> new TableCalls.PutRows.Answer())),
          later(
              TableCalls.DeleteRows.class,
              WORK,
              (queues, call) ->
                  table(Handlers.as(queues, call.durability()), call.table())
                      .deleteAllAsync(call.keys())
                      .thenApply(TableCalls.DeleteRows.Answer::new)),
          later(
              TableCalls.PutRowIfAbsent.class,
              WORK,
              (queues, call) ->
                  table(Handlers.as(queues, call.durability()), call.table())
                      .putIfAbsentAsync(call.key(), call.value())
                      .thenApply(TableCalls.PutRowIfAbsent.Answer::new)),
          later(
              TableCalls.ReplaceRow.class,
              WORK,
              (queues, call) ->
                  table(Handlers.as(queues, call.durability()), call.table())
                      .replaceAsync(call.key(), call.expected(), call.value())
                      .thenApply(TableCalls.ReplaceRow.Answer::new)),
          later(
              TableCalls.DeleteRowIf.class,
              WORK,
              (queues, call) ->
                  table(Handlers.as(queues, call.durability()), call.table())
                      .deleteIfAsync(call.key(), call.expected())
                      .thenApply(TableCalls.DeleteRowIf.Answer::new)),
          slow(
              TableCalls.DropTable.class,
              OPERATE,
              (queues, call) ->
                  new TableCalls.DropTable.Answer(
                      table(Handlers.as(queues, call.durability()), call.table()).drop())),
          blocking(
              TableCalls.GetRows.class,
              WORK,
              (queues, call) ->
                  new TableCalls.GetRows.Answer(
                      table(queues, call.table()).getAll(call.keys()).stream()
                          .map(TableCalls.GetRows.Found::new)
                          .toList())),
          blocking(
              TableCalls.ScanRows.class,
              WORK,
              (queues, call) ->
                  new TableCalls.ScanRows.Answer(
                      table(queues, call.table()).scan(call.range(), call.page()))),
          slow(
              TableCalls.CountRows.class,
              WORK,
              (queues, call) ->
                  new TableCalls.CountRows.Answer(table(queues, call.table()).count(call.range()))),
          blocking(
              TableCalls.Tables.class,
              READ,
              (queues, call) -> new TableCalls.Tables.Answer(queues.tables(call.page()))));

  private TableHandlers() {}

  private static Table<byte[], byte[]> table(JobQueues queues, String name) {
    return queues.table(name, Codec.BYTES, Codec.BYTES);
  }
}
