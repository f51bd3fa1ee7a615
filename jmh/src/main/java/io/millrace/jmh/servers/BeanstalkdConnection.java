package io.millrace.jmh.servers;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A connection to beanstalkd, by the four calls of its text protocol that a cycle of jobs needs.
 * For one thread at a time.
 */
final class BeanstalkdConnection implements AutoCloseable {

  /** The time for which a job is reserved. */
  private static final int RESERVED_S = 300;

  private static final String END_OF_LINE = "\r\n";

  private final Socket socket;
  private final InputStream in;

  BeanstalkdConnection(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException("beanstalkd cannot be reached: port=" + port, e);
    }
  }

  /** A reserved job. */
  @SuppressWarnings("ArrayRecordComponent")
  record Job(long id, byte[] body) {}

  void put(byte[] body) {
    byte[] command = bytes("put 0 0 %d %d%s".formatted(RESERVED_S, body.length, END_OF_LINE));
    byte[] end = bytes(END_OF_LINE);
    byte[] all = new byte[command.length + body.length + end.length];
    System.arraycopy(command, 0, all, 0, command.length);
    System.arraycopy(body, 0, all, command.length, body.length);
    System.arraycopy(end, 0, all, command.length + body.length, end.length);
    require("INSERTED ", answer(all));
  }

  /** Reserves a job, waiting for one. */
  Optional<Job> reserve(int waitS) {
    String answer = answer(bytes("reserve-with-timeout " + waitS + END_OF_LINE));
    if (answer.equals("TIMED_OUT")) {
      return Optional.empty();
    }
    require("RESERVED ", answer);
    String[] words = answer.split(" ", -1);
    try {
      byte[] body = in.readNBytes(Integer.parseInt(words[2]));
      in.skipNBytes(END_OF_LINE.length());
      return Optional.of(new Job(Long.parseLong(words[1]), body));
    } catch (IOException e) {
      throw broken(e);
    }
  }

  void delete(long id) {
    require("DELETED", answer(bytes("delete " + id + END_OF_LINE)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private String answer(byte[] call) {
    try {
      socket.getOutputStream().write(call);
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          throw new EOFException("end of the connection");
        }
        if (next != '\r') {
          line.write(next);
        }
      }
      return line.toString(StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private static void require(String expected, String answer) {
    if (!answer.startsWith(expected)) {
      throw new IllegalStateException(
          "beanstalkd does not do it: expected=" + expected.strip() + ", answer=" + answer);
    }
  }

  private static UncheckedIOException broken(IOException e) {
    return new UncheckedIOException("connection to beanstalkd is broken", e);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
