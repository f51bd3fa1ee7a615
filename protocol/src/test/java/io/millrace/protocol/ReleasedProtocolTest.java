package io.millrace.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.MethodOptions.IdempotencyLevel;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Holds the protocol to {@code config/protocol/v1.txt}: clients and servers of two releases talk to
 * each other, so that what is there stays as it is.
 */
class ReleasedProtocolTest {

  private static final Path WRITTEN = Path.of("../config/protocol/v1.txt");
  private static final String COMMAND =
      "mvn -pl protocol -am test -Dtest=ReleasedProtocolTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dmillrace.api=write";

  @Test
  void protocolIsThatOfTheText() throws IOException {
    List<String> today = today();
    if ("write".equals(System.getProperty("millrace.api"))) {
      Files.write(WRITTEN, today);
    }
    List<String> written = Files.readAllLines(WRITTEN);

    List<String> gone = new ArrayList<>(written);
    gone.removeAll(today);
    List<String> come = new ArrayList<>(today);
    come.removeAll(written);

    assertThat(gone)
        .withFailMessage("others rely on this, and it is gone or changed: %s", gone)
        .isEmpty();
    assertThat(come)
        .withFailMessage("new in the protocol: %s; if you mean it, run%n  %s", come, COMMAND)
        .isEmpty();
  }

  private static List<String> today() {
    Set<FileDescriptor> files = new TreeSet<>((a, b) -> a.getName().compareTo(b.getName()));
    List<String> lines = new ArrayList<>();
    for (MethodDescriptor method : Protocol.session().getService().getMethods()) {
      files.add(method.getFile());
      lines.add(
          method.getFullName()
              + ": "
              + type(method.getInputType(), method.isClientStreaming())
              + " -> "
              + type(method.getOutputType(), method.isServerStreaming())
              + suffix(method.getOptions().getIdempotencyLevel()));
    }
    new ArrayList<>(files).forEach(file -> files.addAll(file.getDependencies()));
    files.forEach(file -> file.getMessageTypes().forEach(message -> add(message, lines)));
    return lines;
  }

  private static String type(Descriptor message, boolean isStream) {
    return (isStream ? "stream " : "") + message.getFullName();
  }

  private static String suffix(IdempotencyLevel level) {
    return level == IdempotencyLevel.IDEMPOTENCY_UNKNOWN ? "" : ", " + level;
  }

  private static void add(Descriptor message, List<String> lines) {
    for (FieldDescriptor field : message.getFields()) {
      lines.add(field.getFullName() + " = " + field.getNumber() + ": " + type(field));
    }
    message.getNestedTypes().forEach(nested -> add(nested, lines));
  }

  private static String type(FieldDescriptor field) {
    String type =
        field.getType() == FieldDescriptor.Type.MESSAGE
            ? field.getMessageType().getFullName()
            : field.getType().name();
    return (field.isRepeated() ? "repeated " : field.hasPresence() ? "optional " : "") + type;
  }
}
