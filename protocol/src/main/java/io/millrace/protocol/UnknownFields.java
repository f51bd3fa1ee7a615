package io.millrace.protocol;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/** The ways to treat a field that nobody here knows: whoever sent it is of a newer version. */
enum UnknownFields {

  /** Passes over the field: who is told more than he knows does without. */
  SKIPPED {
    @Override
    void pass(CodedInputStream in, int tag) throws IOException {
      in.skipField(tag);
    }
  },

  /** Refuses the message: who asks for more than is known here is not to believe that he has it. */
  REFUSED {
    @Override
    void pass(CodedInputStream in, int tag) {
      throw new IllegalArgumentException(
          MillraceVersion.lacks("field", WireFormat.getTagFieldNumber(tag)));
    }
  };

  /** Goes on after a field that is not known. */
  abstract void pass(CodedInputStream in, int tag) throws IOException;
}
