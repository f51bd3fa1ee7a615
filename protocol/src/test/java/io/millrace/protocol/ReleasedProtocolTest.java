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

  /** The mark of a field without which its message is refused. */
  private static final String NEEDED = ", needed";

  private static final String COMMAND =
      "mvn -pl protocol -am test -Dtest=ReleasedProtocolTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dmillrace.api=write";

  @Test
  void protocolIsThatOfTheText() throws IOException {
    List<String> today = today();
    List<String> written = Files.readAllLines(WRITTEN);
    List<String> come = new ArrayList<>(today);
    come.removeAll(written);
    Set<String> messages = new TreeSet<>();
    written.forEach(line -> messages.add(message(line)));
    assertThat(come)
        .as("those of the version before do not send this field, and are to be understood")
        .noneMatch(line -> line.endsWith(NEEDED) && messages.contains(message(line)));
    if ("write".equals(System.getProperty("millrace.api"))) {
      Files.write(WRITTEN, today);
      return;
    }

    List<String> gone = new ArrayList<>(written);
    gone.removeAll(today);

    assertThat(gone)
        .withFailMessage("others rely on this, and it is gone or changed: %s", gone)
        .isEmpty();
    assertThat(come)
        .withFailMessage("new in the protocol: %s; if you mean it, run%n  %s", come, COMMAND)
        .isEmpty();
  }

  /** Returns the name of the message whose field this line tells of. */
  private static String message(String line) {
    return line.replaceFirst("\\.\\w+ = .*", "");
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
    String kind = field.isRepeated() ? "repeated " : field.hasPresence() ? "optional " : "";
    return kind + type + (Protocol.neededFields().contains(field) ? NEEDED : "");
  }
}
