package io.millrace.console.browser;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/**
 * Pictures with a palette of the colours that most of their pixels have: half as large as others,
 * and the same to the eye, for the rest are the edges of letters.
 */
final class SmallPng {

  private static final int COLOUR_COUNT_MAX = 256;

  private SmallPng() {}

  static byte[] of(byte[] png) throws IOException {
    BufferedImage full = ImageIO.read(new ByteArrayInputStream(png));
    int width = full.getWidth();
    int height = full.getHeight();
    int[] pixels = full.getRGB(0, 0, width, height, null, 0, width);
    int[] palette = palette(pixels);
    IndexColorModel colours =
        new IndexColorModel(8, palette.length, palette, 0, false, -1, DataBuffer.TYPE_BYTE);
    BufferedImage small =
        new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, colours);
    Map<Integer, Integer> nearest = new HashMap<>();
    int[] indexes = new int[pixels.length];
    for (int i = 0; i < pixels.length; i++) {
      indexes[i] = nearest.computeIfAbsent(pixels[i], colour -> nearest(palette, colour));
    }
    small.getRaster().setPixels(0, 0, width, height, indexes);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(small, "png", out);
    return out.toByteArray();
  }

  private static int[] palette(int[] pixels) {
    Map<Integer, Integer> counts = new HashMap<>();
    for (int pixel : pixels) {
      counts.merge(pixel, 1, Integer::sum);
    }
    List<Map.Entry<Integer, Integer>> byCount =
        counts.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .limit(COLOUR_COUNT_MAX)
            .toList();
    return byCount.stream().mapToInt(Map.Entry::getKey).toArray();
  }

  private static int nearest(int[] palette, int colour) {
    int best = 0;
    for (int i = 1; i < palette.length; i++) {
      if (distance(palette[i], colour) < distance(palette[best], colour)) {
        best = i;
      }
    }
    return best;
  }

  private static int distance(int one, int other) {
    int sum = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
      int difference = (one >> shift & 0xff) - (other >> shift & 0xff);
      sum += difference * difference;
    }
    return sum;
  }
}
