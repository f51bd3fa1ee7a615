package io.millrace.protocol;

/**
 * A call of the server. Each call is a record whose name is that of the operation in the protocol,
 * and whose components are the fields of the operation's request.
 *
 * @param <A> the answer, a record whose components are the fields of the operation's response
 */
public interface Call<A> {}
