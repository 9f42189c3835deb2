package org.capacityobservatory.localstack;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The HTTP endpoint in front of the engine; listens on loopback only. */
final class ClickHouseServer {
  private static final int ADDRESS_BYTES = 1 << 20;
  private static final int HEADER_BYTES = 1 << 16;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
  private final QueryPool pool;
  private final Channel channel;

  ClickHouseServer(
      int port, QueryPool pool, QueryRunner runner, Credentials credentials, Path spoolDirectory) {
    this.pool = pool;
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.SO_BACKLOG, 1024)
            // Without it small answers wait for the client's delayed acknowledgement: 40 ms each.
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(1 << 20, 4 << 20))
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel client) {
                    client
                        .pipeline()
                        .addLast(
                            new HttpServerCodec(
                                new HttpDecoderConfig()
                                    .setMaxInitialLineLength(ADDRESS_BYTES)
                                    .setMaxHeaderSize(HEADER_BYTES)
                                    .setMaxChunkSize(1 << 16)))
                        .addLast(new HttpConnection(pool, runner, credentials, spoolDirectory));
                  }
                });
    ChannelFuture bound =
        bootstrap
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      pool.close(0, 0);
      throw new LocalStackException(Ports.inUse("ClickHouse", port), bound.cause());
    }
    channel = bound.channel();
  }

  int port() {
    return ((InetSocketAddress) channel.localAddress()).getPort();
  }

  /**
   * Stops listening, lets running queries end or cancels them, and closes every connection.
   *
   * @return whether every query has ended
   */
  boolean close(long graceMillis, long cancelMillis) {
    channel.close().syncUninterruptibly();
    boolean ended = pool.close(graceMillis, cancelMillis);
    loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    return ended;
  }
}
