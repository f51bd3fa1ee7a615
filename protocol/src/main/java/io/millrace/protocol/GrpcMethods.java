package io.millrace.protocol;

import com.google.protobuf.Descriptors;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** The methods of gRPC that the protocol has. They take and give messages as they are sent. */
public final class GrpcMethods {

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
          return new Sent(message);
        }

        @Override
        public byte[] parse(InputStream message) {
          try {
            // Read as a whole where gRPC knows how long it is, and not by buffers of many KiB.
            return message instanceof KnownLength
                ? message.readNBytes(message.available())
                : message.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException("message was not read", e);
          }
        }
      };

  /** A message that gRPC takes as a whole, and not by buffers of many KiB. */
  private static final class Sent extends ByteArrayInputStream implements Drainable, KnownLength {
    Sent(byte[] message) {
      super(message);
    }

    @Override
    public int drainTo(OutputStream to) throws IOException {
      return (int) transferTo(to);
    }
  }

  private GrpcMethods() {}

  /** Returns the method that makes a call by itself. */
  public static MethodDescriptor<byte[], byte[]> of(Operation<?, ?> operation) {
    return method(operation.method(), MethodDescriptor.MethodType.UNARY);
  }

  /** Returns the method of sessions; see {@link Session}. */
  public static MethodDescriptor<byte[], byte[]> session() {
    return method(Protocol.session(), MethodDescriptor.MethodType.BIDI_STREAMING);
  }

  private static MethodDescriptor<byte[], byte[]> method(
      Descriptors.MethodDescriptor described, MethodDescriptor.MethodType type) {
    return MethodDescriptor.<byte[], byte[]>newBuilder(BYTES, BYTES)
        .setType(type)
        .setFullMethodName(
            MethodDescriptor.generateFullMethodName(
                described.getService().getFullName(), described.getName()))
        .build();
  }
}
