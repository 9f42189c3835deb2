package org.capacityobservatory.localstack;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: takes one request after the other, hands each to the query threads once
 * its body is whole, and cancels the query when the client leaves. All methods run on the
 * connection's own event loop.
 */
// A write that fails closes the channel, which is seen as such: its future says nothing more.
@SuppressWarnings("FutureReturnValueIgnored")
final class HttpConnection extends ChannelInboundHandlerAdapter {
  /** The longest body, as it comes and unpacked. */
  static final long BODY_BYTES = 256L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

  /** Requests sent ahead while a query runs; past this the client has to wait. */
  private static final int AHEAD = 64;

  private final QueryPool pool;
  private final QueryRunner runner;
  private final Credentials credentials;
  private final Path spoolDirectory;
  private final Object writable = new Object();
  private final Deque<HttpObject> ahead = new ArrayDeque<>();

  private @Nullable HttpQuery query;
  private @Nullable HttpAnswer answer;
  private @Nullable BodySpool body;
  private @Nullable RunningQuery running;
  private long discarded;

  HttpConnection(QueryPool pool, QueryRunner runner, Credentials credentials, Path spoolDirectory) {
    this.pool = pool;
    this.runner = runner;
    this.credentials = credentials;
    this.spoolDirectory = spoolDirectory;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    HttpObject part = (HttpObject) message;
    if (running != null) {
      ahead.add(part);
      ctx.channel().config().setAutoRead(ahead.size() < AHEAD);
      return;
    }
    take(ctx, part);
  }

  private void take(ChannelHandlerContext ctx, HttpObject part) {
    try {
      if (part.decoderResult().isFailure()) {
        refuseBroken(ctx, part.decoderResult().cause());
        return;
      }
      if (part instanceof HttpRequest request) {
        begin(ctx, request);
      }
      if (part instanceof HttpContent content) {
        addBody(ctx, content);
        if (part instanceof LastHttpContent) {
          endRequest(ctx);
        }
      }
    } finally {
      ReferenceCountUtil.release(part);
    }
  }

  private void refuseBroken(ChannelHandlerContext ctx, Throwable cause) {
    new HttpAnswer(ctx.channel(), false, false, writable)
        .fail(
            EngineException.of(
                EngineException.BAD_ARGUMENTS,
                "BAD_ARGUMENTS",
                "The HTTP request can't be read: " + cause.getMessage()));
  }

  private void begin(ChannelHandlerContext ctx, HttpRequest request) {
    boolean keepAlive = HttpUtil.isKeepAlive(request);
    boolean headOnly = request.method().equals(HttpMethod.HEAD);
    discarded = 0;
    HttpAnswer next = new HttpAnswer(ctx.channel(), keepAlive, headOnly, writable);
    answer = next;
    try {
      HttpQuery asked = HttpQuery.of(request);
      if (isSimple(asked, request, next)) {
        return;
      }
      authenticate(asked);
      requireReadable(request);
      long declared = HttpUtil.getContentLength(request, 0L);
      if (declared > BODY_BYTES) {
        throw tooLarge();
      }
      query = asked;
      body = new BodySpool(spoolDirectory, isGzip(request));
      if (HttpUtil.is100ContinueExpected(request)) {
        ctx.writeAndFlush(
            new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
      }
    } catch (EngineException e) {
      // With the body still to come, a kept connection would take its bytes for a request.
      answer = new HttpAnswer(ctx.channel(), false, headOnly, writable);
      answer.fail(e);
    }
  }

  /** What is answered without a query and without a password. */
  private static boolean isSimple(HttpQuery asked, HttpRequest request, HttpAnswer answer) {
    boolean ping = asked.path().equals("/ping");
    boolean root = asked.path().equals("/") || asked.path().isEmpty();
    if (ping || (root && asked.get() && asked.text().isEmpty())) {
      answer.text(HttpResponseStatus.OK, "Ok.\n");
      return true;
    }
    boolean known =
        request.method().equals(HttpMethod.POST)
            || request.method().equals(HttpMethod.GET)
            || request.method().equals(HttpMethod.HEAD);
    if (!known) {
      answer.header(HttpHeaderNames.ALLOW, "GET, HEAD, POST");
      answer.text(HttpResponseStatus.METHOD_NOT_ALLOWED, "Send GET or POST.\n");
    } else if (!root) {
      answer.text(HttpResponseStatus.NOT_FOUND, "There is no resource " + asked.path() + "\n");
    }
    return !known || !root;
  }

  private void authenticate(HttpQuery asked) throws EngineException {
    if (asked.password() == null) {
      throw EngineException.of(
          EngineException.REQUIRED_PASSWORD,
          "REQUIRED_PASSWORD",
          asked.user() + ": Authentication failed: password is required.");
    }
    if (!credentials.accept(asked.user(), asked.password())) {
      throw EngineException.of(
          EngineException.AUTHENTICATION_FAILED,
          "AUTHENTICATION_FAILED",
          asked.user()
              + ": Authentication failed: password is incorrect, or there is no user with such name.");
    }
  }

  private static void requireReadable(HttpRequest request) throws EngineException {
    String encoding = request.headers().get(HttpHeaderNames.CONTENT_ENCODING);
    if (encoding != null && !encoding.equalsIgnoreCase("identity") && !isGzip(request)) {
      throw EngineException.of(
          EngineException.NOT_IMPLEMENTED,
          "NOT_IMPLEMENTED",
          "Content-Encoding " + encoding + " is not spoken here: use gzip or none.");
    }
    String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE);
    if (type != null && type.regionMatches(true, 0, "multipart/", 0, 10)) {
      throw EngineException.of(
          EngineException.NOT_IMPLEMENTED,
          "NOT_IMPLEMENTED",
          "Multipart bodies (external tables) are not taken here: send the query as the body.");
    }
  }

  private static boolean isGzip(HttpRequest request) {
    return "gzip".equalsIgnoreCase(request.headers().get(HttpHeaderNames.CONTENT_ENCODING));
  }

  private static EngineException tooLarge() {
    return EngineException.of(
        EngineException.QUERY_IS_TOO_LARGE,
        "QUERY_IS_TOO_LARGE",
        "The body is longer than " + BODY_BYTES + " bytes: send it in several INSERTs.");
  }

  private void addBody(ChannelHandlerContext ctx, HttpContent content) {
    BodySpool spool = body;
    if (spool == null) {
      // The answer is out already; a client that goes on sending is heard out, within reason.
      discarded += content.content().readableBytes();
      if (discarded > BODY_BYTES) {
        ctx.close();
      }
      return;
    }
    try {
      if (spool.size() + content.content().readableBytes() > BODY_BYTES) {
        throw tooLarge();
      }
      spool.append(content.content());
    } catch (EngineException e) {
      failEarly(ctx, e);
    } catch (IOException e) {
      failEarly(
          ctx,
          EngineException.of(
              EngineException.UNKNOWN_EXCEPTION,
              "UNKNOWN_EXCEPTION",
              "The body can't be kept in " + spoolDirectory + ": " + e.getMessage()));
    }
  }

  private void failEarly(ChannelHandlerContext ctx, EngineException error) {
    dropBody();
    query = null;
    answer = new HttpAnswer(ctx.channel(), false, false, writable);
    answer.fail(error);
  }

  private void endRequest(ChannelHandlerContext ctx) {
    HttpQuery asked = query;
    BodySpool spool = body;
    HttpAnswer answering = answer;
    if (asked == null || spool == null || answering == null) {
      return;
    }
    query = null;
    body = null;
    RunningQuery starting = new RunningQuery();
    running = starting;
    boolean taken =
        pool.submit(
            starting,
            () -> {
              try {
                runQuery(asked, spool, starting, answering);
              } finally {
                ctx.executor().execute(() -> queryEnded(ctx));
              }
            });
    if (!taken) {
      close(spool);
      answering.fail(
          EngineException.of(
              EngineException.TOO_MANY_SIMULTANEOUS_QUERIES,
              "TOO_MANY_SIMULTANEOUS_QUERIES",
              "Too many queries wait already: send fewer at once."));
      queryEnded(ctx);
    }
  }

  private void runQuery(
      HttpQuery asked, BodySpool spool, RunningQuery starting, HttpAnswer answering) {
    try (spool) {
      if (spool.isLongerThan(BODY_BYTES)) {
        throw tooLarge();
      }
      try (InputStream content = spool.open()) {
        runner.run(asked, content, starting, answering);
      }
    } catch (ZipException e) {
      answering.fail(
          EngineException.of(
              EngineException.CANNOT_DECOMPRESS,
              "CANNOT_DECOMPRESS",
              "The body is no gzip, whatever its Content-Encoding says: " + e.getMessage()));
    } catch (EngineException e) {
      answering.fail(e);
    } catch (HttpAnswer.ClientGoneException e) {
      LOG.debug("{}: {}", asked.queryId(), e.getMessage());
    } catch (IOException | RuntimeException e) {
      LOG.error("query {} failed", asked.queryId(), e);
      answering.fail(
          EngineException.of(EngineException.UNKNOWN_EXCEPTION, "UNKNOWN_EXCEPTION", e.toString()));
    }
  }

  private void queryEnded(ChannelHandlerContext ctx) {
    running = null;
    answer = null;
    while (running == null && !ahead.isEmpty()) {
      take(ctx, ahead.remove());
    }
    ctx.channel().config().setAutoRead(true);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (running != null) {
      running.cancel();
    }
    dropBody();
    ahead.forEach(ReferenceCountUtil::release);
    ahead.clear();
    wakeWriter();
    ctx.fireChannelInactive();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    wakeWriter();
    ctx.fireChannelWritabilityChanged();
  }

  private void wakeWriter() {
    synchronized (writable) {
      writable.notifyAll();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("a connection broke: {}", cause.toString());
      ctx.close();
      return;
    }
    LOG.warn("a request can't be answered", cause);
    ctx.close();
  }

  private void dropBody() {
    if (body != null) {
      close(body);
      body = null;
    }
  }

  private static void close(BodySpool spool) {
    try {
      spool.close();
    } catch (IOException e) {
      LOG.warn("a temporary file could not be deleted: {}", e.toString());
    }
  }
}
