package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PerKeyDoneTest {

  @Test
  void walk_ofAQueueThatIsReadAnew_beginsWithTheFirstKey() {
    PerKeyDone done = new PerKeyDone();
    done.walkFrom(2);
    done.walkedTo(new byte[] {1});
    done.walkedAt(new byte[] {2});

    done.load(1);

    assertThat(done.walkFrom(3)).isNull();
    assertThat(done.walkedKey()).isNull();
  }
}
