package io.millrace.server;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The comments of the protocol's description. Belongs to one thread. */
final class Comments {

  private final Map<FileDescriptor, Map<List<Integer>, String>> byFile = new HashMap<>();

  Optional<String> of(MethodDescriptor method) {
    return find(
        method.getFile(),
        List.of(
            FileDescriptorProto.SERVICE_FIELD_NUMBER,
            method.getService().getIndex(),
            ServiceDescriptorProto.METHOD_FIELD_NUMBER,
            method.getIndex()));
  }

  Optional<String> of(Descriptor message) {
    return find(message.getFile(), path(message));
  }

  Optional<String> of(FieldDescriptor field) {
    List<Integer> path = path(field.getContainingType());
    path.add(DescriptorProto.FIELD_FIELD_NUMBER);
    path.add(field.getIndex());
    return find(field.getFile(), path);
  }

  private static List<Integer> path(Descriptor message) {
    Descriptor outer = message.getContainingType();
    List<Integer> path = outer == null ? new ArrayList<>() : path(outer);
    path.add(
        outer == null
            ? FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER
            : DescriptorProto.NESTED_TYPE_FIELD_NUMBER);
    path.add(message.getIndex());
    return path;
  }

  private Optional<String> find(FileDescriptor file, List<Integer> path) {
    return Optional.ofNullable(byFile.computeIfAbsent(file, Comments::read).get(path));
  }

  private static Map<List<Integer>, String> read(FileDescriptor file) {
    Map<List<Integer>, String> comments = new HashMap<>();
    for (Location place : file.toProto().getSourceCodeInfo().getLocationList()) {
      String comment = place.getLeadingComments().replaceAll("\\s+", " ").strip();
      if (!comment.isEmpty()) {
        comments.put(List.copyOf(place.getPathList()), comment);
      }
    }
    return comments;
  }
}
