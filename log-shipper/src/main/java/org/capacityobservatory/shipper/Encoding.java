package org.capacityobservatory.shipper;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** How a file's content is encoded; its first bytes tell, whatever the file is called. */
enum Encoding implements Decoding {
  /** RFC 1952, also several members one after another. */
  GZIP("gzip data") {
    @Override
    public InputStream decode(InputStream disk, int bufferBytes) throws IOException {
      return new GZIPInputStream(disk, bufferBytes);
    }
  },

  /**
   * RFC 8878, also several frames one after another.
   *
   * <p>The decoder's memory is the frame's window, which the frame's author chose: up to 128 MiB,
   * the most that {@code zstd} writes unless it is told {@code --long} with a larger number.
   */
  ZSTD("zstd data") {
    @Override
    public InputStream decode(InputStream disk, int bufferBytes) throws IOException {
      return new ZstdInputStreamNoFinalizer(new BufferedInputStream(disk, bufferBytes))
          .setLongMax(MAX_ZSTD_WINDOW_LOG);
    }
  };

  static final int MAGIC_BYTES = 4;

  /** 2^27 bytes = 128 MiB. */
  private static final int MAX_ZSTD_WINDOW_LOG = 27;

  private static final long ZSTD_WINDOW_TOO_LARGE = 16;

  private final String noun;

  Encoding(String noun) {
    this.noun = noun;
  }

  /** The encoding that these first bytes of a file tell, or null where they are content. */
  static @Nullable Encoding of(byte[] head) {
    if (head.length >= 2 && head[0] == 0x1f && head[1] == (byte) 0x8b) {
      return GZIP;
    }
    boolean zstd =
        head.length >= MAGIC_BYTES
            && head[0] == 0x28
            && head[1] == (byte) 0xb5
            && head[2] == 0x2f
            && head[3] == (byte) 0xfd;
    return zstd ? ZSTD : null;
  }

  @Override
  public String noun() {
    return noun;
  }

  @Override
  public IOException explained(IOException e, long position) {
    if (e instanceof ZstdIOException zstd) {
      if (zstd.getErrorCode() == ZSTD_WINDOW_TOO_LARGE) {
        return new IOException(
            "its zstd window is over 128 MiB: compress it again without --long", e);
      }
      if (isCut(zstd)) {
        return ended(position, e);
      }
      return damaged(position, e);
    }
    if (e instanceof EOFException) {
      return ended(position, e);
    }
    return e instanceof ZipException ? damaged(position, e) : e;
  }

  private static boolean isCut(ZstdIOException e) {
    return String.valueOf(e.getMessage()).contains("Truncated source");
  }

  private IOException ended(long position, IOException e) {
    return new IOException(
        "the %s end early, after %d bytes of content".formatted(noun, position), e);
  }

  private IOException damaged(long position, IOException e) {
    return new IOException(
        "the %s are damaged after %d bytes of content: %s"
            .formatted(noun, position, e.getMessage()),
        e);
  }
}
