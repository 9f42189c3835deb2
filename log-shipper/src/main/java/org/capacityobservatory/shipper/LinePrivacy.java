package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites a line of ours as {@link PrivacyConfig} has it: only the values concerned change, every
 * other byte stays.
 *
 * <p>A key is meant wherever it stands, also in objects that we don't know, and however it is
 * escaped. Null stays null. For one thread.
 */
final class LinePrivacy {
  private static final String USER_ID = "user_id";
  private static final byte[] REDACTED = "\"[redacted]\"".getBytes(US_ASCII);

  /** A line may grow by as much; a record has room for it beside the line cap. */
  static final int MOST_GROWTH_BYTES = 8 * 1024;

  /**
   * In place of a line that can't be walked through, which none that was judged ours should be, or
   * that would grow beyond what a record may have: a line made to do that must not stop the
   * shipper.
   */
  private static final byte[] WITHHELD =
      "{\"event\":\"ocl_capacity\",\"withheld\":true}".getBytes(US_ASCII);

  /** Pseudonyms have 53 bits: the page reads numbers as doubles, and must not round them. */
  private static final int PSEUDONYM_BITS = 53;

  // The line's length is capped where it is read; nothing else may make it unreadable here.
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private final PrivacyConfig config;
  private final @Nullable Mac mac;

  LinePrivacy(PrivacyConfig config) {
    this.config = config;
    this.mac = config.userIdKey() == null ? null : config.userIdKey().mac();
  }

  /** Whether a dead letter's bytes must stay here: what a broken line holds nobody can tell. */
  boolean withholdsRawBytes() {
    return config.isOn();
  }

  /** The bytes of a line that may leave. */
  byte[] rewrite(byte[] bytes, int from, int to) {
    byte[] line = Arrays.copyOfRange(bytes, from, to);
    if (!config.isOn()) {
      return line;
    }
    try (JsonParser json = JSON.createParser(line)) {
      return rewritten(line, json);
    } catch (IOException e) {
      return WITHHELD.clone();
    }
  }

  private byte[] rewritten(byte[] line, JsonParser json) throws IOException {
    @Nullable ByteArrayOutputStream out = null;
    int copied = 0;
    for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
      if (token != JsonToken.FIELD_NAME) {
        continue;
      }
      String key = json.currentName();
      if (!isMeant(key) || json.nextToken() == JsonToken.VALUE_NULL) {
        continue;
      }
      int start = (int) json.currentTokenLocation().getByteOffset();
      byte[] value = replacement(key, json);
      json.skipChildren();
      json.finishToken();
      int end = (int) json.currentLocation().getByteOffset();
      if (out == null) {
        out = new ByteArrayOutputStream(line.length + 32);
      }
      out.write(line, copied, start - copied);
      out.writeBytes(value);
      copied = end;
    }
    if (out == null) {
      return line;
    }
    out.write(line, copied, line.length - copied);
    return out.size() - line.length <= MOST_GROWTH_BYTES ? out.toByteArray() : WITHHELD.clone();
  }

  private boolean isMeant(String key) {
    return (mac != null && key.equals(USER_ID)) || config.redacted().contains(key);
  }

  /** What takes the place of the value at which the parser stands. */
  private byte[] replacement(String key, JsonParser json) throws IOException {
    Mac hash = mac;
    boolean wholeNumber =
        json.currentToken() == JsonToken.VALUE_NUMBER_INT
            && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER
            && json.getLongValue() >= 0;
    return hash != null && key.equals(USER_ID) && wholeNumber
        ? Long.toString(pseudonym(hash, json.getLongValue())).getBytes(US_ASCII)
        : REDACTED;
  }

  /** The first 53 bits of HMAC-SHA-256 over {@code user_id:} and the id in decimal. */
  private static long pseudonym(Mac mac, long userId) {
    byte[] hash = mac.doFinal((USER_ID + ':' + userId).getBytes(US_ASCII));
    long first = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      first = (first << 8) | (hash[i] & 0xff);
    }
    return first >>> (Long.SIZE - PSEUDONYM_BITS);
  }
}
