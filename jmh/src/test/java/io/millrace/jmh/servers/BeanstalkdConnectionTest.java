package io.millrace.jmh.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls whose answers the test has sent beforehand. */
class BeanstalkdConnectionTest {

  private ServerSocket listening;
  private BeanstalkdConnection connection;
  private Socket server;

  @BeforeEach
  void connect() throws IOException {
    listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    connection = new BeanstalkdConnection(listening.getLocalPort());
    server = listening.accept();
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
    server.close();
    listening.close();
  }

  private void answer(String text) throws IOException {
    server.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private String received() throws IOException {
    connection.close();
    return new String(server.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
  }

  @Test
  void put_ofABody_sendsItWithItsLength() throws IOException {
    answer("INSERTED 7\r\n");

    connection.put("two\r\nlines".getBytes(StandardCharsets.US_ASCII));

    assertThat(received()).isEqualTo("put 0 0 300 10\r\ntwo\r\nlines\r\n");
  }

  @Test
  void reserve_ofAJob_returnsItsBodyWhateverIsInIt() throws IOException {
    answer("RESERVED 7 10\r\ntwo\r\nlines\r\nTIMED_OUT\r\nDELETED\r\n");

    BeanstalkdConnection.Job job = connection.reserve(1).orElseThrow();
    Optional<BeanstalkdConnection.Job> next = connection.reserve(0);
    connection.delete(job.id());

    assertThat(job.id()).isEqualTo(7);
    assertThat(job.body()).asString().isEqualTo("two\r\nlines");
    assertThat(next).isEmpty();
    assertThat(received())
        .isEqualTo("reserve-with-timeout 1\r\nreserve-with-timeout 0\r\ndelete 7\r\n");
  }

  @Test
  void put_thatIsRefused_saysTheAnswer() throws IOException {
    answer("OUT_OF_MEMORY\r\n");

    assertThatThrownBy(() -> connection.put(new byte[3]))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("beanstalkd does not do it: expected=INSERTED, answer=OUT_OF_MEMORY");
  }

  @Test
  void delete_whenTheConnectionEnds_saysSo() throws IOException {
    server.shutdownOutput();

    assertThatThrownBy(() -> connection.delete(7)).hasMessage("connection to beanstalkd is broken");
  }
}
