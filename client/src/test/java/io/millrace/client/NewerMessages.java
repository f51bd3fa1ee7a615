package io.millrace.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Messages as a newer version sends them: with a field more than this version knows. */
final class NewerMessages {

  static final int NEW_FIELD = 1_000;

  private static final UnknownFieldSet NEW =
      UnknownFieldSet.newBuilder()
          .addField(
              NEW_FIELD,
              UnknownFieldSet.Field.newBuilder()
                  .addVarint(7)
                  .addLengthDelimited(ByteString.copyFromUtf8("new"))
                  .build())
          .build();

  private final IntPredicate isPlace;
  private int placeCount;

  private NewerMessages(IntPredicate isPlace) {
    this.isPlace = isPlace;
  }

  /** Returns the message, of whatever type, with the field more. */
  static byte[] of(byte[] message) {
    return ByteString.copyFrom(message).concat(NEW.toByteString()).toByteArray();
  }

  /** Returns the message with the field more, and all messages within it as well. */
  static byte[] of(Descriptor type, byte[] message) {
    return new NewerMessages(place -> true).more(parsed(type, message)).toByteArray();
  }

  /** Returns the message with the field more in one place, once for each place. */
  static List<byte[]> each(Descriptor type, byte[] message) {
    List<byte[]> each = new ArrayList<>();
    NewerMessages next;
    do {
      int at = each.size();
      next = new NewerMessages(place -> place == at);
      each.add(next.more(parsed(type, message)).toByteArray());
    } while (each.size() < next.placeCount);
    return each;
  }

  private static Message parsed(Descriptor type, byte[] message) {
    try {
      return DynamicMessage.parseFrom(type, message);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private Message more(Message message) {
    Message.Builder more = message.toBuilder();
    if (isPlace.test(placeCount++)) {
      more.setUnknownFields(NEW);
    }
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE || field.isMapField()) {
                return;
              }
              if (!field.isRepeated()) {
                more.setField(field, more((Message) value));
                return;
              }
              for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
                more.setRepeatedField(field, i, more((Message) message.getRepeatedField(field, i)));
              }
            });
    return more.build();
  }
}
