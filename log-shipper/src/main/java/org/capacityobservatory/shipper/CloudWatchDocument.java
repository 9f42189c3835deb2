package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A saved JSON document of CloudWatch Logs, read as lines: one for each event, in their order.
 *
 * <ul>
 *   <li>A subscription's payload, {@code messageType} and {@code logEvents}; several one after
 *       another too, as Firehose writes them. Plain, gzip, zstd, gzip in Base64, or as a Lambda
 *       function gets it ({@code awslogs.data}).
 *   <li>What {@code aws logs filter-log-events} and {@code get-log-events} print: {@code events}.
 * </ul>
 *
 * <p>A control message's events are lines too: nobody's, so they are counted as not ours.
 *
 * @param encoding how the file is compressed, or null
 * @param base64 whether gzip data stand in it as Base64
 */
record CloudWatchDocument(@Nullable Encoding encoding, boolean base64) implements Decoding {
  private static final JsonFactory JSON = new JsonFactory();

  private static final Pattern DOCUMENT =
      Pattern.compile(
          "\\s*\\{\\s*\"(?:"
              + "awslogs\"\\s*:\\s*\\{\\s*\"data\""
              + "|events\"\\s*:\\s*\\[\\s*(?:\\]"
              + "|\\{\\s*\"(?:eventId|timestamp|message|logStreamName|ingestionTime)\")"
              + "|(?=(?s:.)*messageType\"\\s*:\\s*\"(?:DATA_MESSAGE|CONTROL_MESSAGE)\")"
              + "(?:messageType|owner|logGroup|logStream|subscriptionFilters|logEvents)\"\\s*:)"
              + "(?s:.)*");

  /** Base64 of gzip's first three bytes. */
  private static final Pattern GZIP_IN_BASE64 = Pattern.compile("H4sI[A-Za-z0-9+/=\\r\\n]*");

  /** The decoding for a file whose content begins so, or null where that is no such document. */
  static @Nullable CloudWatchDocument of(@Nullable Encoding encoding, byte[] head) {
    String text = new String(head, ISO_8859_1);
    boolean base64 = encoding == null && GZIP_IN_BASE64.matcher(text).matches();
    return base64 || DOCUMENT.matcher(text).matches()
        ? new CloudWatchDocument(encoding, base64)
        : null;
  }

  @Override
  public InputStream decode(InputStream disk, int bufferBytes) throws IOException {
    InputStream content =
        encoding == null
            ? new BufferedInputStream(disk, bufferBytes)
            : encoding.decode(disk, bufferBytes);
    return new Lines(
        base64 ? new GZIPInputStream(Base64.getMimeDecoder().wrap(content), bufferBytes) : content);
  }

  @Override
  public String noun() {
    return "CloudWatch data";
  }

  @Override
  public IOException explained(IOException e, long position) {
    if (e instanceof JsonEOFException) {
      return new IOException(
          "the CloudWatch data end early, after %d bytes of events".formatted(position), e);
    }
    if (e instanceof JacksonException broken) {
      return new IOException(
          "the CloudWatch data are no JSON after %d bytes of events: %s"
              .formatted(position, broken.getOriginalMessage()),
          e);
    }
    return (encoding == null ? Encoding.GZIP : encoding).explained(e, position);
  }

  /** Events as lines, one at a time: memory is bounded by the longest event. */
  private static final class Lines extends InputStream {
    private final InputStream content;
    private final JsonParser json;
    private byte[] line = {};
    private int at;

    /** Within the list of events. */
    private boolean listing;

    private @Nullable Lines inner;

    Lines(InputStream content) throws IOException {
      this.content = content;
      this.json = JSON.createParser(content);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] b, int offset, int length) throws IOException {
      if (at == line.length) {
        byte[] next = nextLine();
        if (next == null) {
          return -1;
        }
        line = next;
        at = 0;
      }
      int count = Math.min(length, line.length - at);
      System.arraycopy(line, at, b, offset, count);
      at += count;
      return count;
    }

    private byte @Nullable [] nextLine() throws IOException {
      while (true) {
        Lines payload = inner;
        if (payload != null) {
          byte[] its = payload.nextLine();
          if (its != null) {
            return its;
          }
          inner = null;
        }
        JsonToken token = json.nextToken();
        if (token == null) {
          return null;
        }
        if (listing) {
          if (token == JsonToken.START_OBJECT) {
            return event().line();
          }
          listing = token != JsonToken.END_ARRAY;
          json.skipChildren();
        } else {
          look(token);
        }
      }
    }

    private void look(JsonToken token) throws IOException {
      if (token == JsonToken.START_OBJECT || token == JsonToken.END_OBJECT) {
        return;
      }
      if (token != JsonToken.FIELD_NAME) {
        throw new JsonParseException(json, "neither an event nor a list of them");
      }
      String key = json.currentName();
      JsonToken value = json.nextToken();
      boolean events = key.equals("events") || key.equals("logEvents");
      if (events && value == JsonToken.START_ARRAY) {
        listing = true;
      } else if (key.equals("data") && value == JsonToken.VALUE_STRING) {
        byte[] payload = Base64.getDecoder().decode(json.getText());
        inner = new Lines(new GZIPInputStream(new ByteArrayInputStream(payload)));
      } else if (!key.equals("awslogs")) {
        json.skipChildren();
      }
    }

    private CloudWatchEvent event() throws IOException {
      String id = null;
      Long timestamp = null;
      String message = null;
      String logStreamName = null;
      Long ingestionTime = null;
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String key = json.currentName();
        JsonToken value = json.nextToken();
        switch (key) {
          case "id", "eventId" -> id = text(value);
          case "timestamp" -> timestamp = number(value);
          case "message" -> message = text(value);
          case "logStreamName" -> logStreamName = text(value);
          case "ingestionTime" -> ingestionTime = number(value);
          default -> json.skipChildren();
        }
      }
      return new CloudWatchEvent(id, timestamp, message, logStreamName, ingestionTime);
    }

    private @Nullable String text(JsonToken value) throws IOException {
      return value == JsonToken.VALUE_STRING ? json.getText() : null;
    }

    private @Nullable Long number(JsonToken value) throws IOException {
      return value == JsonToken.VALUE_NUMBER_INT ? json.getLongValue() : null;
    }

    @Override
    public void close() throws IOException {
      json.close();
      content.close();
    }
  }
}
