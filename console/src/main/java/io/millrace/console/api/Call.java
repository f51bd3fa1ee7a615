package io.millrace.console.api;

import io.millrace.console.access.Guard;
import io.millrace.console.hook.Visitor;
import io.millrace.console.http.Parameters;
import io.millrace.console.http.Request;

/** A request of a visitor who was let in. */
public record Call(Request request, Guard.Entry entry) {

  public Parameters query() {
    return request.query();
  }

  public Visitor visitor() {
    return entry.visitor();
  }
}
