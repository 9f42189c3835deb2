package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes the log transport's envelope off one physical line; which envelope it is, the line says.
 *
 * <ul>
 *   <li>Docker json-file: a JSON object of {@code log} and {@code time}, maybe {@code stream} and
 *       {@code attrs}, and nothing else. A {@code log} without the final LF is a piece.
 *   <li>CRI: {@code TIME stdout|stderr TAG TEXT}; the tag's part before any {@code :} is {@code P}
 *       for a piece or {@code F}.
 *   <li>journald's JSON and CloudWatch Logs events: {@link TransportReader}.
 *   <li>CloudWatch Logs export and {@code aws logs tail}: {@code TIME OBJECT} and {@code TIME
 *       LOG-STREAM OBJECT}.
 *   <li>Bare: everything else, also what merely looks similar.
 * </ul>
 *
 * <p>journald and CloudWatch carry what containers write, so the text inside may itself be a Docker
 * record or a CRI line: that is taken off too, and its time, the nearer one, counts.
 *
 * <p>Works on bytes. Only Docker's JSON string is decoded: escapes become the UTF-8 they stand for,
 * a lone escaped surrogate stays the six characters it was (there is no UTF-8 for it), and bytes
 * that aren't UTF-8 stay as they are. One object serves many lines, one at a time: results are
 * valid until the next {@link #read}.
 */
final class EnvelopeReader {
  static final String STDOUT = "stdout";
  static final String STDERR = "stderr";

  /** The stream of lines whose envelope names none. */
  static final String NO_STREAM = "";

  private static final byte[] LOG = "log".getBytes(US_ASCII);
  private static final byte[] STREAM = "stream".getBytes(US_ASCII);
  private static final byte[] TIME = "time".getBytes(US_ASCII);
  private static final byte[] ATTRS = "attrs".getBytes(US_ASCII);
  private static final byte[] STDOUT_BYTES = STDOUT.getBytes(US_ASCII);
  private static final byte[] STDERR_BYTES = STDERR.getBytes(US_ASCII);

  /** What stands for what after a backslash; 0 where the escape is longer, or none. */
  private static final byte[] SHORT_ESCAPES = new byte[128];

  static {
    String escapes = "\"\\/bfnrt";
    String meant = "\"\\/\b\f\n\r\t";
    for (int k = 0; k < escapes.length(); k++) {
      SHORT_ESCAPES[escapes.charAt(k)] = (byte) meant.charAt(k);
    }
  }

  private final JsonScanner scanner = new JsonScanner();
  private final TransportReader transport = new TransportReader();
  private byte[] text = new byte[4096];
  private int textSize;

  private byte[] payload = text;
  private int payloadFrom;
  private int payloadTo;
  private long timeMillis;
  private String stream = NO_STREAM;
  private boolean piece;
  private boolean broken;
  private boolean lacksText;
  private @Nullable EntryName name;

  /** Reads one physical line, given without its LF or CR LF. */
  void read(byte[] b, int from, int to) {
    name = null;
    lacksText = false;
    if (transport.read(b, from, to)) {
      readContainer(transport.text(), 0, transport.size());
      isInside(transport.timeMillis(), transport.stream());
      piece |= transport.isPiece();
      name = transport.name();
      lacksText = transport.lacksText();
      return;
    }
    readContainer(b, from, to);
    if (payloadFrom == from && payload == b && !broken) {
      readExport(b, from, to);
    }
  }

  /** What was read stands inside an envelope with this time and stream. */
  private void isInside(long outerMillis, String outerStream) {
    if (timeMillis == Rfc3339.NOT_A_TIME) {
      timeMillis = outerMillis;
    }
    if (!outerStream.isEmpty()) {
      stream = stream.isEmpty() ? outerStream : outerStream + '/' + stream;
    }
  }

  /**
   * Reads {@code TIME OBJECT}, {@code TIME LOG-STREAM OBJECT}, or either with a CRI line inside.
   */
  private void readExport(byte[] b, int from, int to) {
    if (from >= to || b[from] < '0' || b[from] > '9') {
      return;
    }
    int timeTo = indexOfSpace(b, from, to);
    long outerMillis = timeTo < 0 ? Rfc3339.NOT_A_TIME : Rfc3339.parseMillis(b, from, timeTo);
    if (outerMillis == Rfc3339.NOT_A_TIME || readExported(b, timeTo + 1, to, outerMillis, "")) {
      return;
    }
    int wordTo = indexOfSpace(b, timeTo + 1, to);
    if (wordTo > timeTo + 1) {
      String logStream = new String(b, timeTo + 1, wordTo - timeTo - 1, UTF_8);
      boolean unused = readExported(b, wordTo + 1, to, outerMillis, logStream);
    }
  }

  private boolean readExported(byte[] b, int from, int to, long outerMillis, String logStream) {
    boolean object = from < to && b[from] == '{';
    boolean cri = from < to && b[from] >= '0' && b[from] <= '9' && readCri(b, from, to);
    if (!object && !cri) {
      asBare(b, payloadFrom, to);
      return false;
    }
    if (object) {
      readContainer(b, from, to);
    }
    isInside(outerMillis, logStream);
    return true;
  }

  private void readContainer(byte[] b, int from, int to) {
    stream = NO_STREAM;
    piece = false;
    broken = false;
    timeMillis = Rfc3339.NOT_A_TIME;
    if (from < to && b[from] == '{') {
      if (readDocker(b, from, to)) {
        return;
      }
    } else if (from < to && b[from] >= '0' && b[from] <= '9' && readCri(b, from, to)) {
      return;
    }
    asBare(b, from, to);
  }

  private void asBare(byte[] b, int from, int to) {
    payload = b;
    payloadFrom = from;
    payloadTo = to;
    stream = NO_STREAM;
    piece = false;
    timeMillis = Rfc3339.NOT_A_TIME;
  }

  /** The array that holds the payload, from {@link #payloadFrom} to {@link #payloadTo}. */
  byte[] payload() {
    return payload;
  }

  int payloadFrom() {
    return payloadFrom;
  }

  int payloadTo() {
    return payloadTo;
  }

  /** The envelope's time in epoch milliseconds, or {@link Rfc3339#NOT_A_TIME}. */
  long timeMillis() {
    return timeMillis;
  }

  String stream() {
    return stream;
  }

  /** Whether the text goes on in the stream's next line. */
  boolean isPiece() {
    return piece;
  }

  /** What the transport calls this entry, or null where it doesn't name its entries. */
  @Nullable EntryName name() {
    return name;
  }

  /** Whether the transport has left the text out, so that nobody knows whose it was. */
  boolean lacksText() {
    return lacksText;
  }

  /**
   * Whether this starts as a Docker record and isn't a whole one; then the payload is the line as
   * it stands, and {@link #salvaged} is what its {@code log} holds.
   */
  boolean isBroken() {
    return broken;
  }

  /** The decoded text of a broken Docker record's {@code log}, as far as it goes. */
  byte[] salvaged() {
    return Arrays.copyOf(text, textSize);
  }

  private boolean readDocker(byte[] b, int from, int to) {
    boolean hasLog = false;
    boolean dockerKeysOnly = true;
    int i = JsonScanner.skipSpace(b, from + 1, to);
    while (i >= 0 && i < to && b[i] == '"') {
      int keyFrom = i + 1;
      int afterKey = JsonScanner.skipString(b, keyFrom, to);
      if (afterKey < 0) {
        break;
      }
      int keyTo = afterKey - 1;
      int value = JsonScanner.skipColon(b, afterKey, to);
      if (value < 0 || value >= to) {
        break;
      }
      if (isWord(b, keyFrom, keyTo, LOG) && b[value] == '"' && !hasLog) {
        hasLog = true;
        i = unescape(b, value + 1, to);
      } else {
        if (!hasLog && keyFrom == from + 2 && !isEnvelopeKey(b, keyFrom, keyTo)) {
          // A Docker record doesn't begin so: spare the walk through somebody else's object.
          return false;
        }
        i = scanner.skipValue(b, value, to);
        dockerKeysOnly &= i >= 0 && takeKey(b, keyFrom, keyTo, value, i);
      }
      if (i < 0) {
        break;
      }
      i = JsonScanner.skipSpace(b, i, to);
      if (i < to && b[i] == '}') {
        boolean whole =
            hasLog
                && dockerKeysOnly
                && timeMillis != Rfc3339.NOT_A_TIME
                && JsonScanner.skipSpace(b, i + 1, to) == to;
        broken = hasLog && !whole;
        if (whole) {
          takeText();
        }
        return whole;
      }
      if (i >= to || b[i] != ',') {
        break;
      }
      i = JsonScanner.skipSpace(b, i + 1, to);
    }
    broken = hasLog;
    return false;
  }

  private static boolean isEnvelopeKey(byte[] b, int from, int to) {
    return isWord(b, from, to, STREAM) || isWord(b, from, to, TIME) || isWord(b, from, to, ATTRS);
  }

  /** Takes one key of a Docker record other than {@code log}; false where it can't be one. */
  private boolean takeKey(byte[] b, int keyFrom, int keyTo, int valueFrom, int valueTo) {
    if (isWord(b, keyFrom, keyTo, ATTRS)) {
      return b[valueFrom] == '{';
    }
    if (b[valueFrom] != '"') {
      return false;
    }
    if (isWord(b, keyFrom, keyTo, TIME)) {
      timeMillis = Rfc3339.parseMillis(b, valueFrom + 1, valueTo - 1);
      return true;
    }
    if (isWord(b, keyFrom, keyTo, STREAM)) {
      stream = streamName(b, valueFrom + 1, valueTo - 1);
      return true;
    }
    return false;
  }

  private void takeText() {
    piece = textSize == 0 || text[textSize - 1] != '\n';
    payload = text;
    payloadFrom = 0;
    payloadTo = piece ? textSize : textSize - 1;
  }

  private boolean readCri(byte[] b, int from, int to) {
    int timeTo = indexOfSpace(b, from, to);
    int streamTo = timeTo < 0 ? -1 : indexOfSpace(b, timeTo + 1, to);
    if (streamTo < 0) {
      return false;
    }
    boolean stdout = isWord(b, timeTo + 1, streamTo, STDOUT_BYTES);
    if (!stdout && !isWord(b, timeTo + 1, streamTo, STDERR_BYTES)) {
      return false;
    }
    int tag = streamTo + 1;
    int tagTo = indexOfSpace(b, tag, to);
    if (tagTo < 0) {
      tagTo = to;
    }
    if (tag >= tagTo
        || (b[tag] != 'P' && b[tag] != 'F')
        || (tag + 1 < tagTo && b[tag + 1] != ':')) {
      return false;
    }
    timeMillis = Rfc3339.parseMillis(b, from, timeTo);
    if (timeMillis == Rfc3339.NOT_A_TIME) {
      return false;
    }
    stream = stdout ? STDOUT : STDERR;
    piece = b[tag] == 'P';
    payload = b;
    payloadFrom = Math.min(tagTo + 1, to);
    payloadTo = to;
    return true;
  }

  /** Decodes a JSON string into {@link #text}; {@code from} is just after its opening quote. */
  private int unescape(byte[] b, int from, int to) {
    textSize = 0;
    // No escape decodes to more bytes than it takes.
    if (text.length < to - from) {
      text = new byte[Math.max(to - from, 2 * text.length)];
    }
    // Locals, not fields: this loop sees every byte that Docker writes.
    byte[] out = text;
    int size = 0;
    int i = from;
    int answer = JsonScanner.RAN_OUT;
    while (i < to) {
      byte c = b[i];
      if (c == '\\') {
        byte decoded = i + 1 < to && b[i + 1] >= 0 ? SHORT_ESCAPES[b[i + 1]] : 0;
        if (decoded != 0) {
          out[size++] = decoded;
          i += 2;
          continue;
        }
        answer = JsonScanner.skipEscape(b, i, to);
        if (answer < 0) {
          break;
        }
        answer = JsonScanner.RAN_OUT;
        textSize = size;
        i = decodeUnicode(b, i, to);
        size = textSize;
      } else if (c == '"') {
        answer = i + 1;
        break;
      } else if (c >= 0 && c < 0x20) {
        answer = JsonScanner.BAD;
        break;
      } else {
        out[size++] = c;
        i++;
      }
    }
    textSize = size;
    return answer;
  }

  /** Decodes {@code \}{@code uXXXX}, with its second half where it is one of a pair. */
  private int decodeUnicode(byte[] b, int i, int to) {
    char first = hex4(b, i + 2);
    if (!Character.isSurrogate(first)) {
      encode(first);
      return i + 6;
    }
    boolean escapeFollows = i + 7 < to && b[i + 6] == '\\' && b[i + 7] == 'u';
    if (Character.isHighSurrogate(first)
        && escapeFollows
        && JsonScanner.skipEscape(b, i + 6, to) > 0) {
      char second = hex4(b, i + 8);
      if (Character.isLowSurrogate(second)) {
        encode(Character.toCodePoint(first, second));
        return i + 12;
      }
    }
    System.arraycopy(b, i, text, textSize, 6);
    textSize += 6;
    return i + 6;
  }

  private static char hex4(byte[] b, int from) {
    int value = 0;
    for (int k = from; k < from + 4; k++) {
      value = (value << 4) | Character.digit(b[k], 16);
    }
    return (char) value;
  }

  private void encode(int codePoint) {
    if (codePoint < 0x80) {
      text[textSize++] = (byte) codePoint;
    } else if (codePoint < 0x800) {
      text[textSize++] = (byte) (0xc0 | (codePoint >> 6));
      text[textSize++] = (byte) (0x80 | (codePoint & 0x3f));
    } else if (codePoint < 0x10000) {
      text[textSize++] = (byte) (0xe0 | (codePoint >> 12));
      text[textSize++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
      text[textSize++] = (byte) (0x80 | (codePoint & 0x3f));
    } else {
      text[textSize++] = (byte) (0xf0 | (codePoint >> 18));
      text[textSize++] = (byte) (0x80 | ((codePoint >> 12) & 0x3f));
      text[textSize++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
      text[textSize++] = (byte) (0x80 | (codePoint & 0x3f));
    }
  }

  private static String streamName(byte[] b, int from, int to) {
    if (isWord(b, from, to, STDOUT_BYTES)) {
      return STDOUT;
    }
    return isWord(b, from, to, STDERR_BYTES) ? STDERR : new String(b, from, to - from, UTF_8);
  }

  private static boolean isWord(byte[] b, int from, int to, byte[] word) {
    return Arrays.equals(b, from, to, word, 0, word.length);
  }

  private static int indexOfSpace(byte[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      if (b[i] == ' ') {
        return i;
      }
    }
    return -1;
  }
}
