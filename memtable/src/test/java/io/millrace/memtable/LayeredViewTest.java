package io.millrace.memtable;

import static io.millrace.memtable.MemtableRig.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.ViewEndedException;
import io.millrace.spi.testkit.ForwardingStore;
import io.millrace.spi.testkit.ForwardingView;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Views of a store beneath that ends its own. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class LayeredViewTest {

  private final MemtableRig rig = new MemtableRig(1);
  private volatile boolean isEnded;

  @AfterEach
  void close() {
    rig.store.close();
  }

  @Test
  void view_endedAndTheStoreBeneathIsFurther_staysEnded() {
    rig.front = this::ending;
    rig.open();
    rig.put("a", "1");
    try (ReadView view = rig.store.read()) {
      rig.put("a", "2");
      rig.seal();
      rig.awaitFolded(2);
      isEnded = true;

      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> view.get(bytes("b"))).isInstanceOf(ViewEndedException.class);
        assertThatThrownBy(() -> MemtableRig.rows(view)).isInstanceOf(ViewEndedException.class);
      }
    }
    isEnded = false;
    assertThat(rig.rows()).containsExactly("a=2");
  }

  /** A store beneath may be opened anew at any time, by the thread that folds. */
  @Test
  void read_viewBeneathEndsBeforeItsCommitIsKnown_takesAnother() {
    rig.front = this::endingAtOnce;
    rig.open();
    rig.put("a", "1");
    isEnded = true;

    assertThat(rig.rows()).containsExactly("a=1");
    assertThat(isEnded).isFalse();
  }

  /** Ends the next view at the first question to it. */
  private OrderedStore endingAtOnce(OrderedStore inner) {
    return new ForwardingStore(inner) {
      @Override
      public ReadView read() {
        return new ForwardingView(store.read()) {
          @Override
          public long commit() {
            if (isEnded) {
              isEnded = false;
              throw new ViewEndedException("ended by a test");
            }
            return super.commit();
          }
        };
      }
    };
  }

  private OrderedStore ending(OrderedStore inner) {
    return new ForwardingStore(inner) {
      @Override
      public ReadView read() {
        return new ForwardingView(store.read()) {
          @Override
          public byte @Nullable [] get(byte[] key) {
            byte[] value = super.get(key);
            if (isEnded) {
              throw new ViewEndedException("ended by a test");
            }
            return value;
          }

          @Override
          public int scan(byte[] start, byte[] end, ScanSize size, RowVisitor visitor) {
            if (isEnded) {
              super.get(bytes("whether it is closed"));
              throw new ViewEndedException("ended by a test");
            }
            return super.scan(start, end, size, visitor);
          }
        };
      }
    };
  }
}
