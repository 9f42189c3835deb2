package org.capacityobservatory.localstack;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.zip.GZIPOutputStream;

/**
 * The answer to one request, written by the thread that runs the query. It is held back until it is
 * whole or grows past a limit, so that nearly every error still gets its proper status; past it, it
 * is sent in pieces as fast as the client takes them.
 */
// A write that fails closes the channel, and the handler sees that: its future says nothing more.
@SuppressWarnings("FutureReturnValueIgnored")
final class HttpAnswer extends OutputStream {
  private static final int PIECE_BYTES = 1 << 16;
  private static final Duration CLIENT_PATIENCE = Duration.ofMinutes(1);

  private final Channel channel;
  private final boolean keepAlive;
  private final boolean withoutBody;
  private final Object writable;
  private final HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
  private final ByteArrayOutputStream held = new ByteArrayOutputStream();
  private int holdBytes = 1 << 20;
  private OutputStream body = new Sink();
  private boolean started;
  private boolean ended;

  /**
   * @param writable what the channel's handler notifies when the client took something or left
   */
  HttpAnswer(Channel channel, boolean keepAlive, boolean withoutBody, Object writable) {
    this.channel = channel;
    this.keepAlive = keepAlive;
    this.withoutBody = withoutBody;
    this.writable = writable;
  }

  /** Sets a header; only before anything was sent. */
  void header(CharSequence name, String value) {
    headers.set(name, value);
  }

  /** Holds more back before the first piece is sent. */
  void holdBytes(int bytes) {
    holdBytes = bytes;
  }

  /** Compresses what is written from now on. */
  void gzip() throws IOException {
    headers.set(HttpHeaderNames.CONTENT_ENCODING, "gzip");
    body = new GZIPOutputStream(new Sink(), PIECE_BYTES);
  }

  @Override
  public void write(int b) throws IOException {
    body.write(b);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    body.write(bytes, offset, length);
  }

  void write(ByteBuffer bytes) throws IOException {
    byte[] piece = new byte[Math.min(PIECE_BYTES, bytes.remaining())];
    while (bytes.hasRemaining()) {
      int n = Math.min(piece.length, bytes.remaining());
      bytes.get(piece, 0, n);
      write(piece, 0, n);
    }
  }

  /** Ends the answer. */
  void finish() throws IOException {
    body.close();
    ended = true;
    if (started) {
      sendHeld();
      end(channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT));
    } else {
      send(HttpResponseStatus.OK, held.toByteArray());
    }
  }

  /**
   * Answers with an error. When part of a result was sent already, the error's text ends it and the
   * connection breaks off, so that no client can take the part for the whole.
   */
  void fail(EngineException error) {
    if (ended) {
      return;
    }
    ended = true;
    String text = error.getMessage() + "\n";
    if (started) {
      boolean plain = !headers.contains(HttpHeaderNames.CONTENT_ENCODING);
      ByteBuf last =
          plain ? Unpooled.copiedBuffer(text, StandardCharsets.UTF_8) : Unpooled.EMPTY_BUFFER;
      channel.writeAndFlush(new DefaultHttpContent(last)).addListener(ChannelFutureListener.CLOSE);
      return;
    }
    headers.remove(HttpHeaderNames.CONTENT_ENCODING);
    headers.set("X-ClickHouse-Exception-Code", Integer.toString(error.code()));
    headers.set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=UTF-8");
    if (error.httpStatus() == HttpResponseStatus.UNAUTHORIZED.code()) {
      headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Basic realm=\"ClickHouse\"");
    }
    send(HttpResponseStatus.valueOf(error.httpStatus()), text.getBytes(StandardCharsets.UTF_8));
  }

  /** Answers with a short text of our own. */
  void text(HttpResponseStatus status, String text) {
    ended = true;
    headers.set(HttpHeaderNames.CONTENT_TYPE, "text/html; charset=UTF-8");
    send(status, text.getBytes(StandardCharsets.UTF_8));
  }

  private void send(HttpResponseStatus status, byte[] content) {
    DefaultFullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            status,
            withoutBody ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(content));
    response.headers().set(headers);
    HttpUtil.setContentLength(response, content.length);
    setConnection(response);
    end(channel.writeAndFlush(response));
  }

  private void setConnection(HttpResponse response) {
    response
        .headers()
        .set(
            HttpHeaderNames.CONNECTION,
            keepAlive ? HttpHeaderValues.KEEP_ALIVE : HttpHeaderValues.CLOSE);
  }

  private void end(ChannelFuture written) {
    if (!keepAlive) {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  private void sendHeld() throws IOException {
    if (held.size() == 0 || withoutBody) {
      held.reset();
      return;
    }
    awaitWritable();
    channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(held.toByteArray())));
    held.reset();
  }

  /** A client that reads nothing for a minute counts as gone. */
  private void awaitWritable() throws IOException {
    long endNanos = System.nanoTime() + CLIENT_PATIENCE.toNanos();
    synchronized (writable) {
      while (channel.isActive() && !channel.isWritable()) {
        long leftMillis = (endNanos - System.nanoTime()) / 1_000_000;
        if (leftMillis <= 0) {
          channel.close();
          throw new ClientGoneException();
        }
        try {
          writable.wait(leftMillis);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new ClientGoneException();
        }
      }
    }
    if (!channel.isActive()) {
      throw new ClientGoneException();
    }
  }

  /** Whether the answer is on its way or out. */
  boolean isEnded() {
    return ended;
  }

  /** The client has left, or takes nothing any more. */
  static final class ClientGoneException extends IOException {
    private static final long serialVersionUID = 1L;

    ClientGoneException() {
      super("the client has left");
    }
  }

  private final class Sink extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      held.write(bytes, offset, length);
      if (!started && held.size() > holdBytes) {
        started = true;
        DefaultHttpResponse response =
            new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set(headers);
        HttpUtil.setTransferEncodingChunked(response, true);
        setConnection(response);
        channel.write(response);
        sendHeld();
      } else if (started && held.size() >= PIECE_BYTES) {
        sendHeld();
      }
    }
  }

  static String contentType(String format) {
    return switch (format) {
      case "JSON", "JSONCompact", "JSONStrings", "JSONCompactStrings", "JSONColumns" ->
          "application/json; charset=UTF-8";
      case "JSONEachRow", "JSONCompactEachRow", "JSONLines", "NDJSON" ->
          "application/x-ndjson; charset=UTF-8";
      case "CSV", "CSVWithNames", "CSVWithNamesAndTypes" -> "text/csv; charset=UTF-8";
      case "TabSeparated", "TSV", "TSVWithNames", "TabSeparatedWithNames" ->
          "text/tab-separated-values; charset=UTF-8";
      case "RowBinary",
          "RowBinaryWithNames",
          "RowBinaryWithNamesAndTypes",
          "Native",
          "Parquet",
          "Arrow",
          "ArrowStream" ->
          "application/octet-stream";
      default -> "text/plain; charset=UTF-8";
    };
  }
}
