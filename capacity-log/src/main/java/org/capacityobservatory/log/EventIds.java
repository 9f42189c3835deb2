package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;

/**
 * The ids of one generation's lines, as ASCII text: what {@link EventId#of} tells, for those who
 * ask for every line. Not safe for several threads.
 */
public final class EventIds {
  private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);
  private static final int UUID_CHARACTERS = 36;
  private static final int UUID_BYTES = 16;

  private final MessageDigest digest = RawSample.newSha256();
  private final byte[] place;

  /**
   * Ids of lines of one generation.
   *
   * @param source the source's name
   * @param generation 1 for the source's first file, counting up
   */
  public EventIds(String source, long generation) {
    place = (source + '\0' + generation + '\0').getBytes(UTF_8);
  }

  /**
   * The id of the line that starts at a byte position.
   *
   * @param position the position's decimal digits in ASCII
   * @return a UUID's 36 characters
   */
  public byte[] at(byte[] position) {
    digest.update(place);
    digest.update(position);
    byte[] hash = digest.digest();
    byte[] text = new byte[UUID_CHARACTERS];
    int to = 0;
    for (int i = 0; i < UUID_BYTES; i++) {
      if (i == 4 || i == 6 || i == 8 || i == 10) {
        text[to++] = '-';
      }
      text[to++] = HEX[(hash[i] >> 4) & 0xf];
      text[to++] = HEX[hash[i] & 0xf];
    }
    return text;
  }
}
