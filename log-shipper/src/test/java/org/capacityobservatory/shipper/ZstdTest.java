package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.capacityobservatory.shipper.TestingLog.append;
import static org.capacityobservatory.shipper.TestingLog.calls;
import static org.capacityobservatory.shipper.TestingShipping.config;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZstdTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameFile() {
    // The first bytes tell, not the name.
    file = folder.resolve("old");
  }

  private static byte[] zstd(String text) {
    return Zstd.compress(text.getBytes(UTF_8));
  }

  private static List<Integer> numbers(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toList();
  }

  @Test
  void concatenatedFramesAreOneTextOverRestarts() throws IOException {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    String all = calls(1, 600);
    // The cut lies inside a line, and a skippable frame stands between.
    frames.write(zstd(all.substring(0, 100_001)));
    frames.write(new byte[] {0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'});
    frames.write(zstd(all.substring(100_001)));
    Files.write(file, frames.toByteArray());
    try (TestingShipping shipping =
        new TestingShipping(config(file.toString()).once(true).build())) {
      shipping.undonePass();
      shipping.finishOnce();
      shipping.kill();
      shipping.finishOnce();
      assertThat(shipping.cids()).isEqualTo(numbers(1, 600));
      assertThat(shipping.shipped.get(1).position())
          .as("bytes of content")
          .isEqualTo(calls(1, 1).length());
      assertThat(shipping.status(file.toString()).state()).isEqualTo(SourceStatus.State.ENDED);
    }
  }

  @Test
  void aCutFileIsReadAsFarAsItGoesAndOnWhenItIsWhole() throws IOException {
    byte[] whole = zstd(calls(1, 2000));
    Files.write(file, Arrays.copyOf(whole, whole.length - 30));
    try (TestingShipping shipping = new TestingShipping(config(file.toString()).build())) {
      shipping.pass();
      SourceStatus status = shipping.status(file.toString());
      assertThat(status.state()).isEqualTo(SourceStatus.State.FAILED);
      assertThat(status.problem()).contains("zstd data end early, after", "bytes of content");
      Files.write(file, whole);
      shipping.pass();
      assertThat(shipping.cids()).isEqualTo(numbers(1, 2000));
      assertThat(shipping.status(file.toString()).problem()).isNull();
    }
  }

  @Test
  void aDamagedFileSaysSo() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZstdOutputStreamNoFinalizer out = new ZstdOutputStreamNoFinalizer(bytes)) {
      out.setChecksum(true);
      out.write(calls(1, 50).getBytes(UTF_8));
    }
    byte[] damaged = bytes.toByteArray();
    damaged[damaged.length - 1] ^= 1;
    Files.write(file, damaged);
    assertProblem("the zstd data are damaged after");
  }

  @Test
  void textAfterTheLastFrameIsDamageToo() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(zstd(calls(1, 5)));
    bytes.write("plain text".getBytes(UTF_8));
    Files.write(file, bytes.toByteArray());
    assertProblem("the zstd data are damaged after " + calls(1, 5).length() + " bytes");
  }

  /** One raw block in a frame made by hand: the library writes no window that large. */
  private static byte[] frameWithWindow(int log, String text) {
    byte[] content = text.getBytes(UTF_8);
    int block = (content.length << 3) | 1;
    ByteBuffer frame =
        ByteBuffer.allocate(9 + content.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(0xfd2fb528)
            .put((byte) 0)
            .put((byte) ((log - 10) << 3))
            .put((byte) block)
            .put((byte) (block >> 8))
            .put((byte) (block >> 16))
            .put(content);
    return frame.array();
  }

  @Test
  void aWindowOver128MebibytesIsRefused() throws IOException {
    Files.write(file, frameWithWindow(28, calls(1, 50)));
    assertProblem("its zstd window is over 128 MiB: compress it again without --long");
    Files.write(file, frameWithWindow(27, calls(1, 50)));
    try (TestingShipping shipping =
        new TestingShipping(config(file.toString()).once(true).build())) {
      shipping.finishOnce();
      assertThat(shipping.cids()).isEqualTo(numbers(1, 50));
    }
  }

  private void assertProblem(String words) {
    try (TestingShipping shipping =
        new TestingShipping(config(file.toString()).once(true).build())) {
      shipping.finishOnce();
      SourceStatus status = shipping.status(file.toString());
      assertThat(status.state()).isEqualTo(SourceStatus.State.FAILED);
      assertThat(status.problem()).contains(words);
    }
  }

  @Test
  void aRotatedFileIsKnownAgainWhenCompressed() throws IOException {
    Path log = folder.resolve("app.log");
    append(log, calls(1, 100));
    try (TestingShipping shipping = new TestingShipping(config(folder + "/app.log*").build())) {
      shipping.pass();
      append(log, calls(101, 110));
      shipping.kill();
      Files.write(folder.resolve("app.log.1.zst"), zstd(Files.readString(log)));
      Files.delete(log);
      append(log, calls(111, 120));
      shipping.settle();
      assertThat(shipping.cids()).containsExactlyInAnyOrderElementsOf(numbers(1, 120));
    }
  }
}
