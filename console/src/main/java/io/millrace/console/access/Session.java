package io.millrace.console.access;

import io.millrace.console.hook.Visitor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A visitor's stay, known by a cookie. Any thread may use it. */
public final class Session {

  private final String id;
  private final String formToken;
  private final Visitor visitor;
  private final long endsAtNs;
  private final AtomicReference<@Nullable String> notice = new AtomicReference<>();

  Session(String id, String formToken, Visitor visitor, long endsAtNs) {
    this.id = id;
    this.formToken = formToken;
    this.visitor = visitor;
    this.endsAtNs = endsAtNs;
  }

  String id() {
    return id;
  }

  /** Returns the token that each form must have, which no other site knows. */
  public String formToken() {
    return formToken;
  }

  public Visitor visitor() {
    return visitor;
  }

  boolean isOver(long nowNs) {
    return endsAtNs - nowNs <= 0;
  }

  /** Keeps a sentence for the next page that the visitor sees. */
  public void notice(String sentence) {
    notice.set(sentence);
  }

  /** Returns the sentence that was kept, once; null if there is none. */
  public @Nullable String takeNotice() {
    return notice.getAndSet(null);
  }
}
