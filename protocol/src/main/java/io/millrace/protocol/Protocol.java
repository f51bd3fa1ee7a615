package io.millrace.protocol;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The operations of the protocol, as {@code millrace/v1/millrace.proto} describes them. */
public final class Protocol {

  private static final String DESCRIPTION = "/millrace/v1/millrace.desc";

  private static final ServiceDescriptor SERVICE = service();
  private static final Codecs CALLS = new Codecs(UnknownFields.REFUSED);
  private static final Codecs TOLD = new Codecs(UnknownFields.SKIPPED);
  private static final Map<Class<?>, Operation<?, ?>> OPERATIONS = all();
  private static final MethodDescriptor SESSION = SERVICE.findMethodByName("Session");
  private static final MessageCodec<Session.Calls> SESSION_CALLS =
      TOLD.of(Session.Calls.class, SESSION.getInputType());
  private static final MessageCodec<Session.Answers> SESSION_ANSWERS =
      TOLD.of(Session.Answers.class, SESSION.getOutputType());

  private Protocol() {}

  /** Returns the name of the service, with its package. */
  public static String serviceName() {
    return SERVICE.getFullName();
  }

  /** Returns all operations, in the order in which the protocol has them. */
  public static Collection<Operation<?, ?>> operations() {
    return OPERATIONS.values();
  }

  /** Returns the operation of a call. */
  @SuppressWarnings("unchecked") // it is listed by the class of its call
  public static <C extends Call<A>, A> Operation<C, A> of(Class<C> call) {
    return (Operation<C, A>) Objects.requireNonNull(OPERATIONS.get(call), call.getName());
  }

  /** Returns the description of the sessions of clients, in which calls are sent as a stream. */
  public static MethodDescriptor session() {
    return SESSION;
  }

  /** Returns the fields without which their messages are refused, for tests. */
  static Set<FieldDescriptor> neededFields() {
    Set<FieldDescriptor> needed = new HashSet<>(CALLS.needed());
    needed.addAll(TOLD.needed());
    return needed;
  }

  static MessageCodec<Session.Calls> sessionCalls() {
    return SESSION_CALLS;
  }

  static MessageCodec<Session.Answers> sessionAnswers() {
    return SESSION_ANSWERS;
  }

  private static Map<Class<?>, Operation<?, ?>> all() {
    Map<String, Class<?>> calls = new LinkedHashMap<>();
    Stream.of(
            JobCalls.class,
            LeaseCalls.class,
            QueueCalls.class,
            BatchCalls.class,
            TableCalls.class,
            TransactionCalls.class,
            ListenCalls.class,
            NotedCalls.class,
            ReadCalls.class)
        .flatMap(group -> Arrays.stream(group.getDeclaredClasses()))
        .filter(Call.class::isAssignableFrom)
        .forEach(call -> calls.put(call.getSimpleName(), call));
    Map<Class<?>, Operation<?, ?>> operations = new LinkedHashMap<>();
    for (MethodDescriptor method : SERVICE.getMethods()) {
      if (method.isClientStreaming()) {
        continue;
      }
      Class<?> call = calls.remove(method.getName());
      if (call == null) {
        throw new IllegalStateException("operation has no call: " + method.getFullName());
      }
      operations.put(call, operation(call, method));
    }
    if (!calls.isEmpty()) {
      throw new IllegalStateException("calls have no operation: " + calls.keySet());
    }
    return Collections.unmodifiableMap(operations);
  }

  @SuppressWarnings("unchecked") // a call, and the type of its answers
  private static <C extends Call<A>, A> Operation<C, A> operation(
      Class<?> call, MethodDescriptor method) {
    ParameterizedType asCall = (ParameterizedType) call.getGenericInterfaces()[0];
    Class<A> answer = (Class<A>) asCall.getActualTypeArguments()[0];
    return new Operation<>(
        (Class<C>) call,
        method,
        CALLS.of((Class<C>) call, method.getInputType()),
        TOLD.of(answer, method.getOutputType()));
  }

  private static ServiceDescriptor service() {
    try (InputStream in = Protocol.class.getResourceAsStream(DESCRIPTION)) {
      List<FileDescriptor> files = new ArrayList<>();
      for (FileDescriptorProto file :
          FileDescriptorSet.parseFrom(Objects.requireNonNull(in, DESCRIPTION)).getFileList()) {
        files.add(FileDescriptor.buildFrom(file, files.toArray(FileDescriptor[]::new)));
      }
      return files.stream()
          .flatMap(file -> file.getServices().stream())
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no service: " + DESCRIPTION));
    } catch (IOException | DescriptorValidationException e) {
      throw new IllegalStateException("description cannot be read: " + DESCRIPTION, e);
    }
  }
}
