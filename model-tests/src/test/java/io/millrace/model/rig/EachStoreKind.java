package io.millrace.model.rig;

import io.millrace.spi.testkit.rig.Reach;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * A parameterized test of each kind of store, or of the given ones. By another way to the queues it
 * runs on the first of them alone: the store matters less there.
 */
@ArgumentsSource(EachStoreKind.Kinds.class)
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface EachStoreKind {

  /** Returns the kinds of store. */
  StoreKind[] value() default {
    StoreKind.MEMORY, StoreKind.FAULTY, StoreKind.LMDB, StoreKind.ROCKSDB
  };

  /** The kinds of store that the test's run is for. */
  final class Kinds implements ArgumentsProvider, AnnotationConsumer<EachStoreKind> {

    private StoreKind[] kinds = {};

    @Override
    public void accept(EachStoreKind test) {
      kinds = test.value();
    }

    @Override
    public Stream<? extends Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      return Stream.of(kinds).limit(Reach.isTaken() ? 1 : kinds.length).map(Arguments::of);
    }
  }
}
