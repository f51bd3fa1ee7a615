package io.millrace.store.postgresql;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.shared.CutPoint;
import io.millrace.spi.testkit.shared.SharedPlace;
import io.millrace.store.postgresql.FaultProxy.Fault;
import io.millrace.store.postgresql.FaultProxy.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A schema of the server that the tests share, which is reached by connections that can be cut.
 * Time passes where ownership is counted: in the guard's row, and on the clock of the owners.
 */
final class PostgresPlace implements SharedPlace {

  /** The statements, as the driver sends them. */
  static final String ACQUIRE = "millrace_acquire\\(\\$1";

  static final String WRITE = "millrace_write\\(\\$1";
  static final String KEEP = "millrace_keep\\(\\$1";
  static final String READ = "repeatable read|millrace_row r on|millrace_row where k >=";

  private final String schema = TestServer.newName();
  private final AtomicLong passedNs = new AtomicLong();
  private final List<PostgresLink> links = new ArrayList<>();

  @Override
  public StoreOptions options() {
    return StoreOptions.of(
        TestServer.location(schema).replace("reconnectSeconds=2", "reconnectSeconds=1"));
  }

  String schema() {
    return schema;
  }

  @Override
  public PostgresLink newLink() {
    PostgresLink link = new PostgresLink();
    links.add(link);
    return link;
  }

  @Override
  public boolean fencesViewsOfTheWriter() {
    return true;
  }

  @Override
  public void letPass(Duration time) {
    passedNs.addAndGet(time.toNanos());
    String guard = schema + ".millrace_guard";
    TestServer.execute(
        "do $$ begin if to_regclass('%1$s') is not null then".formatted(guard)
            + " update %1$s set owned_until = owned_until - interval '%2$d ms';"
                .formatted(guard, time.toMillis())
            + " end if; end $$");
  }

  @Override
  public void close() {
    links.forEach(link -> link.proxy.close());
  }

  /** A way to the server that can be cut. */
  final class PostgresLink implements SharedPlace.Link {

    private final FaultProxy proxy = new FaultProxy(TestServer.port());
    private final PostgresStoreFactory factory =
        PostgresStoreFactory.withClock(() -> System.nanoTime() + passedNs.get());

    FaultProxy proxy() {
      return proxy;
    }

    @Override
    public String scheme() {
      return factory.scheme();
    }

    @Override
    public OrderedStore open(StoreOptions options) {
      String location =
          options.location().replace("127.0.0.1:" + TestServer.port(), "127.0.0.1:" + proxy.port());
      return factory.open(
          StoreOptions.of(location)
              .owner(options.owner())
              .ownedFor(options.ownedFor())
              .access(options.access()));
    }

    @Override
    public void breakAt(CutPoint point) {
      plan(point, Fault.RESET);
    }

    @Override
    public void cutOffAt(CutPoint point) {
      plan(point, Fault.CUT_OFF);
    }

    private void plan(CutPoint point, Fault fault) {
      switch (point) {
        case BEFORE_OPEN -> proxy.plan(ACQUIRE, Moment.BEFORE, fault);
        case AFTER_OPEN -> proxy.plan(ACQUIRE, Moment.AFTER, fault);
        case BEFORE_WRITE -> proxy.plan(WRITE, Moment.BEFORE, fault);
        case AFTER_WRITE -> proxy.plan(WRITE, Moment.AFTER, fault);
        case BEFORE_READ -> proxy.plan(READ, Moment.BEFORE, fault);
        case BEFORE_SYNC, BEFORE_SETTLE -> proxy.plan(KEEP, Moment.BEFORE, fault);
      }
    }

    @Override
    public void heal() {
      proxy.heal();
    }
  }
}
