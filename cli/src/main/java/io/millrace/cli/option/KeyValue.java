package io.millrace.cli.option;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * A key and its value, of an option that may be given several times, once for each key.
 *
 * @param key the text before the first =
 * @param value the text behind it
 */
public record KeyValue(String key, String value) {

  private static final char SEPARATOR = '=';

  /** Reads a key and its value. */
  public static final class Converter implements ITypeConverter<KeyValue> {

    @Override
    public KeyValue convert(String text) {
      int end = text.indexOf(SEPARATOR);
      if (end < 0) {
        throw new TypeConversionException("should be in KEY=VALUE format but was " + text);
      }
      return new KeyValue(text.substring(0, end), text.substring(end + 1));
    }
  }

  /**
   * Returns the values by their keys.
   *
   * @throws ParameterException a key is there twice: one of its values would be passed over
   */
  public static Map<String, String> byKey(CommandLine command, String option, List<KeyValue> all) {
    Map<String, String> byKey = new LinkedHashMap<>();
    for (KeyValue each : all) {
      if (byKey.put(each.key, each.value) != null) {
        throw new ParameterException(command, option + " is given twice for one key: " + each.key);
      }
    }
    return byKey;
  }
}
