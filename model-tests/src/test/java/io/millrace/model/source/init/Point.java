package io.millrace.model.source.init;

/** Cannot be initialized before its interface is, which waits for it. */
final class Point implements Shape {}
