package io.millrace.model.source;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * The methods of public types, as their sources have them, that say nothing of the exceptions which
 * they can throw.
 *
 * <p>Nobody can tell from a signature what a method throws that declares nothing. Taken to throw is
 * whatever does something, or is handed a value that it may refuse: a method that answers nothing
 * or a future, one whose answer has to be looked at, and one with a parameter that is neither a
 * function nor one of the constants of an enum. Options take further options as they are, for these
 * were looked at when they were made. Of constructors those count that look at their parameters. A
 * method that overrides another says it there, and an exception says when it is thrown.
 */
final class ErrorsTold {

  /** Types whose values are refused only if they are null. */
  private static final Set<String> TAKEN_AS_THEY_ARE =
      Set.of(
          "boolean",
          "BiFunction",
          "Codec",
          "Consumer",
          "Executor",
          "Function",
          "Object",
          "Predicate",
          "Runnable",
          "Supplier",
          "UnaryOperator");

  /** Code in the body of a constructor that looks at a parameter. */
  private static final Pattern REFUSAL = Pattern.compile("\\bChecks\\.|\\bthrow\\b");

  private ErrorsTold() {}

  /** Lists the methods of these files that do not say what they throw, as {@code Type.name(…)}. */
  static List<String> silent(List<Path> files) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files));
      Types types = new Types();
      Iterable<? extends CompilationUnitTree> units = task.parse();
      types.scan(units, null);
      Methods methods = new Methods(DocTrees.instance(task), types);
      methods.scan(units, null);
      return methods.silent.stream().sorted().toList();
    }
  }

  /** The names of all types, by what they are. */
  private static final class Types extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final Set<String> all = new HashSet<>();
    private final Set<String> enums = new HashSet<>();

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void none) {
      all.add(type.getSimpleName().toString());
      if (type.getKind() == Tree.Kind.ENUM) {
        enums.add(type.getSimpleName().toString());
      }
      return super.visitClass(type, none);
    }

    /** Tells whether a method of the type takes each value of the parameter. */
    boolean areAllTaken(ClassTree type, VariableTree parameter) {
      String simpleName = bare(parameter.getType()).replaceFirst(".*\\.", "");
      boolean isOptions = bare(type.getExtendsClause()).equals("Options");
      return TAKEN_AS_THEY_ARE.contains(simpleName)
          || (isOptions ? all : enums).contains(simpleName);
    }
  }

  /** Goes through types that users see, and through nothing inside methods. */
  private static final class Methods extends TreePathScanner<@Nullable Void, @Nullable Void> {
    private final DocTrees comments;
    private final Types types;
    private final List<String> silent = new ArrayList<>();

    Methods(DocTrees comments, Types types) {
      this.comments = comments;
      this.types = types;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void none) {
      boolean isException = type.getSimpleName().toString().endsWith("Exception");
      return isSeen(type.getModifiers().getFlags()) && !isException
          ? super.visitClass(type, none)
          : null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void none) {
      ClassTree type = (ClassTree) getCurrentPath().getParentPath().getLeaf();
      if (isSeen(method.getModifiers().getFlags())
          && canThrow(method, type)
          && !saysWhatItThrows(getCurrentPath())) {
        silent.add(name(type, method));
      }
      return null;
    }

    /** Tells whether users see what stands in a type that they see: all members of interfaces. */
    private boolean isSeen(Set<Modifier> flags) {
      boolean isInInterface =
          getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.INTERFACE;
      return flags.contains(Modifier.PUBLIC)
          || flags.contains(Modifier.PROTECTED)
          || (isInInterface && !flags.contains(Modifier.PRIVATE));
    }

    private boolean canThrow(MethodTree method, ClassTree type) {
      if (method.getReturnType() == null) {
        return REFUSAL.matcher(String.valueOf(method.getBody())).find();
      }
      boolean doesSomething =
          Set.of("void", "CompletableFuture").contains(bare(method.getReturnType()))
              || isAnnotated(method, "CheckReturnValue");
      return !isAnnotated(method, "Override")
          && (doesSomething
              || !method.getThrows().isEmpty()
              || !method.getParameters().stream().allMatch(each -> types.areAllTaken(type, each)));
    }

    private boolean saysWhatItThrows(TreePath method) {
      DocCommentTree comment = comments.getDocCommentTree(method);
      return comment != null
          && comment.getBlockTags().stream().anyMatch(tag -> tag.getKind() == DocTree.Kind.THROWS);
    }
  }

  private static String name(ClassTree type, MethodTree method) {
    String parameters =
        method.getParameters().stream()
            .map(each -> each.getType().toString())
            .collect(Collectors.joining(", ", "(", ")"));
    String name = method.getReturnType() == null ? "new" : method.getName().toString();
    return type.getSimpleName() + "." + name + parameters;
  }

  private static boolean isAnnotated(MethodTree method, String annotation) {
    return method.getModifiers().getAnnotations().stream()
        .anyMatch(each -> each.getAnnotationType().toString().equals(annotation));
  }

  /** Returns the name of a type without its arguments; empty if there is none. */
  private static String bare(@Nullable Tree type) {
    return type == null ? "" : type.toString().replaceFirst("(?s)<.*", "");
  }
}
