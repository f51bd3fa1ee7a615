package io.millrace.model.damage;

import io.millrace.api.QueueName;
import io.millrace.engine.StorePlace;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.model.damage.Contents.Stop;
import io.millrace.model.damage.GoldenStore.Content;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Makes the golden stores, under a clock that is set, so that each run makes the same.
 *
 * <p>As a program it does one step of it and leaves the store, by a clean close or by its own
 * death: first everything that an engine does, then the beginning of what an engine would go on
 * with at once, such as a queue's deletion.
 */
final class GoldenStores {

  static final long START_MS = 1_700_000_000_000L;

  /** The queue whose deletion has begun. */
  static final QueueName GONE = QueueName.of("gone");

  private GoldenStores() {}

  /** Arguments: {@link Content}, location of the store, {@link Stop}. */
  public static void main(String[] arguments) {
    StorePlace place = StorePlace.of(arguments[1]);
    Stop stop = Stop.valueOf(arguments[2]);
    if (arguments.length == 3) {
      GoldenWork golden = Content.valueOf(arguments[0]).work(place);
      golden.work();
      leave(stop, golden.engine::close);
    } else {
      OrderedStore store = place.factory().open(place.options());
      dropQueue(store);
      if (Content.valueOf(arguments[0]) == Content.WORKFLOWS) {
        GoldenWorkflows.leaveUnfinished(store);
      }
      leave(stop, store::close);
    }
    Runtime.getRuntime().halt(0);
  }

  /** Has the store made by processes of their own, of which the last one leaves it. */
  static void make(Content content, String location, Stop stop) throws IOException {
    for (List<String> task : List.of(List.<String>of(), List.of("drop"))) {
      List<String> command = new ArrayList<>(Machine.java());
      command.addAll(List.of(GoldenStores.class.getName(), content.name(), location, stop.name()));
      command.addAll(task);
      if (Machine.join(new ProcessBuilder(command).inheritIO().start()) != 0) {
        throw new IllegalStateException("golden store cannot be made: " + command);
      }
    }
  }

  private static void leave(Stop stop, Runnable close) {
    if (stop == Stop.CLOSED) {
      close.run();
    }
  }

  /** Leaves a queue as if its deletion had begun and its rows were not removed yet. */
  private static void dropQueue(OrderedStore store) {
    int number = numberOf(store, GONE);
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    for (byte[] key :
        keys(store, Keyspace.AGENDA, (key, value) -> AgendaKeys.queue(key) == number)) {
      batch.delete(key);
    }
    batch.delete(QueueKeys.key(GONE));
    batch.delete(CounterKeys.key(number));
    byte[] name = QueueNameKeys.key(number);
    batch.put(name, new QueueNameRecord(GONE, QueueNameRecord.State.DROPPED).encode(name));
    batch.put(AgendaKeys.key(AgendaKeys.DROPPED_MS, number), new byte[0]);
    store.write(batch);
  }

  static int numberOf(OrderedStore store, QueueName name) {
    List<byte[]> names =
        keys(
            store,
            Keyspace.QUEUE_NAME,
            (key, value) -> QueueNameRecord.decode(key, value).name().equals(name));
    return QueueNameKeys.queue(names.get(0));
  }

  static List<byte[]> keys(
      OrderedStore store, Keyspace keyspace, BiPredicate<byte[], byte[]> isWanted) {
    List<byte[]> keys = new ArrayList<>();
    try (ReadView view = store.read()) {
      view.scan(
          keyspace.start(),
          keyspace.end(),
          Integer.MAX_VALUE,
          (key, value) -> {
            if (isWanted.test(key, value)) {
              keys.add(key);
            }
            return true;
          });
    }
    return keys;
  }
}
