package io.millrace.spi.folder;

import io.millrace.spi.FormatVersionException;
import io.millrace.spi.StoreCorruptException;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The MILLRACE file: says that a folder is ours, which store wrote it, and which very store it is.
 * On disk, never change.
 *
 * <pre>
 *  format=1            the store's format number
 *  store=lmdb          the kind of store
 *  id=32 hex digits    given at creation
 *  created=instant     for humans
 *  crc=8 hex digits    CRC32C of everything above; the last line in every format
 * </pre>
 */
record FolderHeader(int format, String store, String id, String created) {

  static final String FILE_NAME = "MILLRACE";
  static final String TEMPORARY_FILE_NAME = "MILLRACE.tmp";

  private static final int FILE_BYTES_MAX = 4_096;
  private static final int ID_BYTES = 16;
  private static final String CRC_LINE = "crc=";

  /** Returns the header of a new store, with a random id. */
  static FolderHeader create(String store, int format) {
    byte[] id = new byte[ID_BYTES];
    new SecureRandom().nextBytes(id);
    return new FolderHeader(format, store, HexFormat.of().formatHex(id), Instant.now().toString());
  }

  /** Returns the header of the same store in another format. */
  FolderHeader withFormat(int other) {
    return new FolderHeader(other, store, id, created);
  }

  void write(Path folder) throws IOException {
    String text =
        "format=" + format + "\nstore=" + store + "\nid=" + id + "\ncreated=" + created + "\n";
    String whole = text + CRC_LINE + crc(text) + "\n";
    FolderFiles.replaceDurably(
        folder.resolve(FILE_NAME),
        folder.resolve(TEMPORARY_FILE_NAME),
        whole.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Reads and checks the header of a folder that must hold a store of this kind.
   *
   * @throws StoreCorruptException the header is damaged
   * @throws FormatVersionException the folder holds another kind of store, or a newer format
   */
  static FolderHeader read(Path folder, String store, int formatMax) throws IOException {
    FolderHeader header = parse(folder, text(folder));
    if (!header.store.equals(store)) {
      throw new FormatVersionException(
          "folder holds another kind of store: folder="
              + folder
              + ", held="
              + header.store
              + ", asked="
              + store);
    }
    if (header.format > formatMax) {
      throw new FormatVersionException(
          "store was written by a newer version, upgrade to open it: folder="
              + folder
              + ", format="
              + header.format
              + ", newest known="
              + formatMax);
    }
    return header;
  }

  private static String text(Path folder) throws IOException {
    try (FileInputStream in = new FileInputStream(folder.resolve(FILE_NAME).toFile())) {
      return new String(in.readNBytes(FILE_BYTES_MAX), StandardCharsets.UTF_8);
    }
  }

  private static FolderHeader parse(Path folder, String text) {
    int crcAt = text.lastIndexOf(CRC_LINE);
    if (crcAt < 0
        || !text.substring(crcAt).equals(CRC_LINE + crc(text.substring(0, crcAt)) + "\n")) {
      throw damaged(folder);
    }
    Map<String, String> values = new HashMap<>();
    for (String line : text.substring(0, crcAt).split("\n")) {
      int equals = line.indexOf('=');
      values.put(line.substring(0, Math.max(equals, 0)), line.substring(equals + 1));
    }
    try {
      return new FolderHeader(
          Integer.parseInt(values.getOrDefault("format", "")),
          values.getOrDefault("store", ""),
          values.getOrDefault("id", ""),
          values.getOrDefault("created", ""));
    } catch (NumberFormatException e) {
      throw damaged(folder);
    }
  }

  private static StoreCorruptException damaged(Path folder) {
    return new StoreCorruptException(
        "store header is damaged, restore it from a backup: file=" + folder.resolve(FILE_NAME));
  }

  private static String crc(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }
}
