package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.capacityobservatory.shipper.TestingLog.append;
import static org.capacityobservatory.shipper.TestingLog.call;
import static org.capacityobservatory.shipper.TestingLog.calls;
import static org.capacityobservatory.shipper.TestingLog.gzip;
import static org.capacityobservatory.shipper.TestingLog.rename;
import static org.capacityobservatory.shipper.TestingLog.truncate;
import static org.capacityobservatory.shipper.TestingShipping.config;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.capacityobservatory.log.QuarantineReason;
import org.capacityobservatory.shipper.TestingShipping.Shipped;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SourcesTest {
  @TempDir Path folder;
  private Path log;

  @BeforeEach
  void nameLog() {
    log = folder.resolve("app.log");
  }

  private static List<Integer> numbers(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toList();
  }

  @Test
  void shipsEachLineOnceOverRestarts() throws IOException {
    append(log, calls(1, 5) + "noise\n" + call(6));
    try (TestingShipping shipping = new TestingShipping(config(log.toString()).build())) {
      shipping.pass();
      assertThat(shipping.cids()).isEqualTo(numbers(1, 5));
      assertThat(shipping.shipped.get(1))
          .isEqualTo(new Shipped(log.toString(), 1, call(1).length() + 1, call(2), null));
      shipping.kill();
      append(log, "\n" + calls(7, 8));
      shipping.undonePass();
      shipping.pass();
      shipping.kill();
      shipping.pass();
      assertThat(shipping.cids()).isEqualTo(numbers(1, 8));
      SourceStatus status = shipping.status(log.toString());
      assertThat(status.books().linesRead()).isEqualTo(9);
      assertThat(status.books().notOurs()).isEqualTo(1);
      assertThat(status.books().bytesRead()).isEqualTo(Files.size(log));
      assertThat(status.position()).isEqualTo(Files.size(log));
      assertThat(status.atEnd()).isTrue();
    }
  }

  /** C01: the inode of a deleted file is given to another one. */
  @ParameterizedTest
  @ValueSource(ints = {12, 7})
  void anInodeIsNoIdentity(int last) throws IOException {
    Path other = folder.resolve("b.log");
    String pattern = folder + "/*.log";
    append(log, calls(1, 5));
    try (TestingShipping shipping = new TestingShipping(config(pattern).build())) {
      shipping.pass();
      shipping.sources.close();
      FileId old = FileStat.of(log).id();
      Files.delete(log);
      boolean reused = false;
      for (int k = 0; k < 50 && !reused; k++) {
        // The first line is the old file's own; only the second tells the two apart.
        Files.writeString(other, call(1) + "\n" + calls(6, last));
        reused = FileStat.of(other).id().equals(old);
        if (!reused) {
          rename(other, folder.resolve("spare" + k));
        }
      }
      assumeTrue(reused, "this file system doesn't give a freed inode to the next file");
      shipping.kill();
      shipping.pass();
      List<Integer> expected = new java.util.ArrayList<>(numbers(1, 5));
      expected.add(1);
      expected.addAll(numbers(6, last));
      assertThat(shipping.cids()).isEqualTo(expected);
      assertThat(shipping.shipped.get(5).source()).isEqualTo(other.toString());
      assertThat(shipping.sources.identitiesChanged()).isEqualTo(1);
      shipping.kill();
      shipping.pass();
      assertThat(shipping.cids()).isEqualTo(expected);
      assertThat(shipping.sources.identitiesChanged()).isZero();
    }
  }

  @Test
  void theSameInodeWithOtherContentIsANewGeneration() throws IOException {
    append(log, calls(1, 5));
    try (TestingShipping shipping = new TestingShipping(config(log.toString()).build())) {
      shipping.pass();
      // Rewritten in place, and longer than what was read: the size alone tells nothing.
      Files.writeString(log, calls(6, 20));
      shipping.pass();
      shipping.pass();
      assertThat(shipping.cids()).isEqualTo(numbers(1, 20));
      assertThat(shipping.shipped.get(5).generation()).isEqualTo(2);
      assertThat(shipping.shipped.get(5).position()).isZero();
      assertThat(shipping.sources.identitiesChanged()).isEqualTo(1);
    }
  }

  /** C03: copytruncate, with the copy under the same pattern. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCopyIsReadOnlyFromWhereTheOriginalWas(boolean restart) throws IOException {
    Path copy = folder.resolve("app.log.1");
    append(log, calls(1, 100));
    try (TestingShipping shipping = new TestingShipping(config(log + "*").build())) {
      shipping.pass();
      // Written after the last read and before the copy: only the copy has them.
      append(log, calls(101, 103) + call(104).substring(0, 30));
      Files.copy(log, copy);
      truncate(log);
      append(log, calls(105, 105));
      if (restart) {
        shipping.kill();
      }
      shipping.pass();
      append(log, calls(106, 106));
      shipping.settle();
      shipping.kill();
      shipping.settle();
      assertThat(shipping.cids())
          .containsExactlyInAnyOrderElementsOf(
              IntStream.rangeClosed(1, 106).filter(n -> n != 104).boxed().toList());
      assertThat(shipping.shipped)
          .filteredOn(line -> TestingShipping.cid(line.text()) <= 103)
          .allMatch(line -> line.generation() == 1);
      // The copy holds a line cut by the truncation: nobody can know its rest.
      assertThat(shipping.letters)
          .extracting(TestingShipping.Letter::reason)
          .containsExactly(QuarantineReason.UNTERMINATED);
      assertThat(shipping.status(log.toString()).generation()).isEqualTo(2);
    }
  }

  @Test
  void aCopyBesideItsLivingOriginalIsLeftAlone() throws IOException {
    Path copy = folder.resolve("app.log-20261130");
    append(log, calls(1, 10));
    try (TestingShipping shipping = new TestingShipping(config(log + "*").build())) {
      shipping.pass();
      Files.copy(log, copy);
      shipping.pass();
      append(log, calls(11, 12));
      shipping.pass();
      assertThat(shipping.cids()).isEqualTo(numbers(1, 12));
      assertThat(shipping.sources.copiesRecognised()).isEqualTo(1);
      truncate(log);
      append(log, calls(13, 13));
      shipping.pass();
      shipping.pass();
      assertThat(shipping.cids()).isEqualTo(numbers(1, 13));
    }
  }

  /** Copied, and the original removed, whole or truncated, before anyone looked. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theCopyOfARemovedFileIsNotReadAgain(boolean truncated) throws IOException {
    append(log, calls(1, 3));
    try (TestingShipping shipping = new TestingShipping(config(log + "*").build())) {
      shipping.pass();
      append(log, calls(4, 4));
      Files.copy(log, folder.resolve("app.log.1"));
      if (truncated) {
        truncate(log);
      }
      Files.delete(log);
      shipping.settle();
      shipping.kill();
      shipping.settle();
      assertThat(shipping.cids()).isEqualTo(numbers(1, 4));
    }
  }

  /** Lines of one log begin alike: of the files that it may be, the one most is known of counts. */
  @Test
  void halfALineIsNotTakenForTheBeginningOfACompressedFile() throws IOException {
    Path rotated = folder.resolve("app.log.1");
    append(rotated, calls(1, 3));
    try (TestingShipping shipping = new TestingShipping(config(log + "*").build())) {
      shipping.pass();
      append(log, call(9).substring(0, 100));
      shipping.pass();
      Files.delete(log);
      shipping.settle();
      gzip(rotated, folder.resolve("app.log.1.gz"));
      Files.delete(rotated);
      shipping.settle();
      assertThat(shipping.cids()).isEqualTo(numbers(1, 3));
    }
  }

  @Test
  void filesThatOnlyBeginAlikeAreBothRead() throws IOException {
    String banner = "=".repeat(2000) + "\n";
    Path second = folder.resolve("app.log.1");
    append(log, banner + calls(1, 10));
    try (TestingShipping shipping = new TestingShipping(config(log + "*").build())) {
      shipping.pass();
      append(second, banner + calls(11, 12));
      shipping.pass();
      assertThat(shipping.cids()).isEqualTo(numbers(1, 12));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/l/app.log, /l/app.log",
    "/l/app.log.1, /l/app.log",
    "/l/app.log.12.gz, /l/app.log",
    "/l/app.log-20261130, /l/app.log",
    "/l/app.log-2026-11-30T10:00:00.gz, /l/app.log",
    "/l/app.log.gz, /l/app.log",
    "/l/app2.log, /l/app2.log",
    "/l/app.log-error, /l/app.log-error"
  })
  void theStemIsTheNameWithoutWhatRotationAdds(String path, String stem) {
    assertThat(Sources.stem(path)).isEqualTo(stem);
  }

  /** C04: truncated while the shipper was away; later starts send nothing again. */
  @Test
  void aTruncatedFileIsANewGenerationOnce() throws IOException {
    append(log, calls(1, 10));
    try (TestingShipping shipping = new TestingShipping(config(log.toString()).build())) {
      shipping.pass();
      shipping.kill();
      truncate(log);
      append(log, calls(11, 12));
      shipping.pass();
      assertThat(shipping.sources.truncations()).isEqualTo(1);
      for (int k = 0; k < 2; k++) {
        shipping.kill();
        shipping.pass();
        shipping.pass();
      }
      assertThat(shipping.cids()).isEqualTo(numbers(1, 12));
      assertThat(shipping.sources.truncations()).isZero();
      SourceStatus status = shipping.status(log.toString());
      assertThat(status.generation()).isEqualTo(2);
      assertThat(status.position()).isEqualTo(Files.size(log));
      assertThat(status.books().acknowledged()).isEqualTo(12);
    }
  }

  @Test
  void aFileTruncatedWhileReadIsANewGeneration() throws IOException {
    append(log, calls(1, 3) + call(4).substring(0, 20));
    try (TestingShipping shipping = new TestingShipping(config(log.toString()).build())) {
      shipping.pass();
      truncate(log);
      shipping.pass();
      append(log, calls(5, 6));
      shipping.pass();
      shipping.pass();
      assertThat(shipping.cids()).containsExactly(1, 2, 3, 5, 6);
      assertThat(shipping.letters)
          .extracting(TestingShipping.Letter::reason)
          .containsExactly(QuarantineReason.UNTERMINATED);
    }
  }

  /** C06: half a line is nothing, however long it takes, and whoever dies meanwhile. */
  @Test
  void halfALineWaitsForItsEnd() throws IOException {
    append(log, "x".repeat(4089) + "\n" + call(5).substring(0, 6));
    try (TestingShipping shipping = new TestingShipping(config(log.toString()).build())) {
      shipping.pass();
      shipping.pass();
      assertThat(shipping.records().get(0).place().position()).isEqualTo(4090);
      shipping.kill();
      shipping.pass();
      assertThat(shipping.records().get(0).place().position()).isEqualTo(4090);
      append(log, call(5).substring(6) + "\n" + calls(6, 6));
      shipping.pass();
      assertThat(shipping.cids()).containsExactly(5, 6);
    }
  }

  /** C06, variant: the writer dies, and the file is rotated, without a last LF. */
  @Test
  void aRotatedFilesLastLineIsTriedAsItStands() throws IOException {
    append(log, calls(1, 1) + call(2));
    try (TestingShipping shipping = new TestingShipping(config(log + "*").build())) {
      shipping.pass();
      rename(log, folder.resolve("app.log.1"));
      append(log, calls(3, 3) + call(4).substring(0, 40));
      shipping.settle();
      rename(folder.resolve("app.log.1"), folder.resolve("app.log.2"));
      rename(log, folder.resolve("app.log.1"));
      append(log, calls(5, 5));
      shipping.settle();
      shipping.kill();
      shipping.settle();
      assertThat(shipping.cids()).containsExactlyInAnyOrder(1, 2, 3, 5);
      assertThat(shipping.shipped)
          .filteredOn(line -> line.flag() != null)
          .containsExactly(
              new Shipped(log.toString(), 1, call(1).length() + 1, call(2), "unterminated"));
      assertThat(shipping.letters)
          .extracting(TestingShipping.Letter::reason)
          .containsExactly(QuarantineReason.UNTERMINATED);
      assertThat(shipping.status(log.toString()).generation()).isEqualTo(3);
      assertThat(shipping.sources.active()).hasSize(1);
    }
  }

  @Test
  void aRenamedFileIsReadToItsEndThroughItsHandle() throws IOException {
    append(log, calls(1, 2));
    try (TestingShipping shipping = new TestingShipping(config(log.toString()).build())) {
      shipping.pass();
      Path away = folder.resolve("away");
      rename(log, away);
      append(away, calls(3, 4));
      append(log, calls(5, 6));
      shipping.pass();
      append(away, calls(7, 7));
      Files.delete(away);
      shipping.undonePass();
      shipping.settle();
      assertThat(shipping.cids()).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7);
      assertThat(shipping.shipped)
          .filteredOn(line -> line.generation() == 1)
          .extracting(line -> TestingShipping.cid(line.text()))
          .containsExactly(1, 2, 3, 4, 7);
      assertThat(shipping.status(log.toString()).state()).isEqualTo(SourceStatus.State.LIVE);
    }
  }

  @Test
  void aVanishedFileEnds() throws IOException {
    append(log, calls(1, 2) + call(3));
    try (TestingShipping shipping = new TestingShipping(config(log.toString()).build())) {
      shipping.pass();
      Files.delete(log);
      shipping.pass();
      assertThat(shipping.status(log.toString()).state()).isEqualTo(SourceStatus.State.LIVE);
      shipping.settle();
      assertThat(shipping.cids()).containsExactly(1, 2, 3);
      assertThat(shipping.status(log.toString()).state()).isEqualTo(SourceStatus.State.ENDED);
      append(log, calls(4, 4));
      shipping.settle();
      assertThat(shipping.cids()).containsExactly(1, 2, 3, 4);
      assertThat(shipping.shipped.get(3).generation()).isEqualTo(2);
      assertThat(shipping.status(log.toString()).state()).isEqualTo(SourceStatus.State.LIVE);
    }
  }

  @Test
  void whatIsLostWhileAwayIsSaid() throws IOException {
    append(log, calls(1, 2) + "half");
    try (TestingShipping shipping = new TestingShipping(config(log.toString()).build())) {
      shipping.pass();
      shipping.kill();
      Files.delete(log);
      shipping.settle();
      SourceStatus status = shipping.status(log.toString());
      assertThat(status.state()).isEqualTo(SourceStatus.State.ENDED);
      assertThat(status.problem()).contains("at least 4 bytes are lost");
    }
  }

  @Test
  void aRotatedFileIsKnownAgainWhenCompressed() throws IOException {
    Path rotated = folder.resolve("app.log.1");
    append(log, calls(1, 10));
    try (TestingShipping shipping = new TestingShipping(config(log + "*").build())) {
      shipping.pass();
      rename(log, rotated);
      append(log, calls(11, 12));
      shipping.settle();
      gzip(rotated, folder.resolve("app.log.1.gz"));
      Files.delete(rotated);
      shipping.settle();
      shipping.kill();
      shipping.settle();
      assertThat(shipping.cids()).isEqualTo(numbers(1, 12));
      assertThat(shipping.status(log.toString()).problem()).isNull();
    }
  }

  /** C11: the first piece is held over restarts, and neither lost nor doubled. */
  @Test
  void heldPiecesOutliveARestart() throws IOException {
    String time = "2026-03-01T10:00:00Z";
    append(log, time + " stdout P " + call(14) + "\n");
    append(log, time + " stderr F noise\n");
    try (TestingShipping shipping = new TestingShipping(config(log.toString()).build())) {
      shipping.pass();
      assertThat(shipping.status(log.toString()).books())
          .isEqualTo(new Books(2, 0, 0, 1, 1, Files.size(log), 0, 0));
      shipping.kill();
      // Not even looked at yet: the piece must not be forgotten by a run that does nothing.
      shipping.kill();
      shipping.pass();
      assertThat(shipping.status(log.toString()).books().pending()).isEqualTo(1);
      shipping.advance(Duration.ofSeconds(31));
      shipping.undonePass();
      // Read again, so waited for again.
      shipping.pass();
      shipping.advance(Duration.ofSeconds(31));
      shipping.pass();
      append(log, time + " stdout F " + call(15) + "\n");
      shipping.pass();
      shipping.kill();
      shipping.pass();
      assertThat(shipping.cids()).containsExactly(14, 15);
      assertThat(shipping.shipped.get(0).flag()).isEqualTo("unterminated");
      assertThat(shipping.status(log.toString()).books().linesRead()).isEqualTo(3);
    }
  }

  @Test
  void shippingOnceEndsAtTheFilesEnd() throws IOException {
    append(log, calls(1, 3) + call(4));
    Path half = folder.resolve("half.log");
    append(half, calls(5, 5) + call(6).substring(0, 9));
    Path zipped = folder.resolve("old");
    append(folder.resolve("plain"), calls(7, 400));
    gzip(folder.resolve("plain"), zipped);
    Files.createFile(folder.resolve("empty.log"));
    try (TestingShipping shipping =
        new TestingShipping(
            config(folder + "/*.log", zipped.toString()).once(true).build(), 1000)) {
      shipping.finishOnce();
      assertThat(shipping.cids())
          .containsExactlyInAnyOrderElementsOf(
              IntStream.rangeClosed(1, 400).filter(n -> n != 6).boxed().toList());
      assertThat(shipping.letters)
          .containsExactly(
              new TestingShipping.Letter(
                  half.toString(),
                  call(5).length() + 1,
                  QuarantineReason.UNTERMINATED,
                  call(6).substring(0, 9)));
      assertThat(shipping.sources.active())
          .hasSize(4)
          .allMatch(source -> source.status().state() == SourceStatus.State.ENDED);
      int before = shipping.shipped.size();
      shipping.kill();
      shipping.finishOnce();
      assertThat(shipping.shipped).hasSize(before);
      append(log, "\n" + calls(500, 501));
      shipping.kill();
      shipping.finishOnce();
      assertThat(shipping.cids().subList(before, before + 2)).containsExactly(500, 501);
      assertThat(shipping.shipped).hasSize(before + 2);
    }
  }

  @Test
  void whatCantBeReadIsNamedAndStopsNothing() throws Exception {
    append(log, calls(1, 2));
    Path binary = folder.resolve("binary.log");
    byte[] zeros = new byte[3000];
    new java.util.Random(1).nextBytes(zeros);
    Files.write(binary, zeros);
    Path zstd = folder.resolve("zstd.log");
    Files.write(zstd, new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 'a', 'b'});
    Path cut = folder.resolve("cut.log");
    append(folder.resolve("plain"), calls(3, 100));
    gzip(folder.resolve("plain"), cut);
    byte[] whole = Files.readAllBytes(cut);
    Files.write(cut, java.util.Arrays.copyOf(whole, whole.length - 20));
    Path loop = folder.resolve("loop.log");
    Files.createSymbolicLink(loop, loop);
    Path twice = folder.resolve("twice.log");
    Files.createSymbolicLink(twice, log);
    Path missing = folder.resolve("missing");
    try (TestingShipping shipping =
        new TestingShipping(
            config(folder + "/*.log", folder.toString(), missing.toString(), "/dev/null")
                .once(true)
                .build())) {
      shipping.finishOnce();
      assertThat(shipping.cids()).contains(1, 2, 3).doesNotHaveDuplicates();
      assertThat(shipping.status(log.toString()).state()).isEqualTo(SourceStatus.State.ENDED);
      assertProblem(shipping, binary.toString(), "no text");
      assertProblem(shipping, zstd.toString(), "zstd");
      assertProblem(shipping, cut.toString(), "end early");
      assertProblem(shipping, loop.toString(), "can't be read");
      assertProblem(shipping, folder.toString(), "directory");
      assertProblem(shipping, missing.toString(), "no such file");
      assertProblem(shipping, "/dev/null", "no regular file");
      assertThat(shipping.sources.active()).hasSize(8);
    }
  }

  private static void assertProblem(TestingShipping shipping, String source, String words) {
    SourceStatus status = shipping.status(source);
    assertThat(status.state()).as(source).isEqualTo(SourceStatus.State.FAILED);
    assertThat(status.problem()).contains(words);
  }

  @Test
  void aDamagedGzipFileIsReadAsFarAsItGoesAndOnWhenMended() throws IOException {
    append(folder.resolve("plain"), calls(1, 300));
    Path zipped = folder.resolve("a.gz");
    gzip(folder.resolve("plain"), zipped);
    byte[] whole = Files.readAllBytes(zipped);
    Files.write(zipped, java.util.Arrays.copyOf(whole, whole.length / 2));
    try (TestingShipping shipping = new TestingShipping(config(zipped.toString()).build())) {
      shipping.pass();
      shipping.pass();
      int soFar = shipping.shipped.size();
      assertThat(soFar).isBetween(10, 299);
      Files.write(zipped, whole);
      shipping.pass();
      shipping.kill();
      shipping.pass();
      assertThat(shipping.cids()).isEqualTo(numbers(1, 300));
      assertThat(shipping.status(zipped.toString()).problem()).isNull();
    }
  }

  @Test
  void sourcesOfOtherRunsAreLeftAlone() throws IOException {
    append(log, calls(1, 2));
    Path other = folder.resolve("other");
    append(other, calls(3, 4));
    try (TestingShipping first = new TestingShipping(config(log.toString()).build())) {
      first.pass();
      List<GenerationRecord> records = first.records();
      Sources later = new Sources(config(other.toString()).build(), records, first);
      later.scan(0, 0);
      assertThat(later.active()).extracting(Source::name).containsExactly(other.toString());
      later.close();
    }
  }

  @Test
  void aClockAheadIsCountedAndDoesNotMoveTheSourcesClock() throws IOException {
    append(log, "2026-11-30T12:00:00Z stdout F " + call(1) + "\n");
    append(log, "2026-11-30T12:00:30Z stdout F " + call(2) + "\n");
    append(log, "2026-11-30T12:01:01Z stdout F " + call(3) + "\n");
    append(log, "0001-01-01T00:00:00Z stdout F " + call(4) + "\n");
    try (TestingShipping shipping = new TestingShipping(config(log.toString()).build())) {
      shipping.pass();
      SourceStatus status = shipping.status(log.toString());
      assertThat(status.clockMillis()).isEqualTo(1_796_040_030_000L);
      assertThat(status.books().futureTimes()).isEqualTo(1);
      assertThat(status.books().acknowledged()).isEqualTo(4);
      assertThat(new String(ReportCodec.book(status, "me", 5), UTF_8))
          .isEqualTo(
              ("{\"source\":\"%s\",\"shipper\":\"me\",\"written_at\":5,\"generation\":1,"
                      + "\"lines_read\":4,\"acknowledged\":4,\"quarantined\":0,\"not_ours\":0,"
                      + "\"pending\":0,\"bytes_read\":%d,\"behind_bytes\":0,\"dropped_at_source\":0,"
                      + "\"clock\":1796040030000,\"at_end\":true,\"state\":\"live\"}")
                  .formatted(log, Files.size(log)));
    }
  }

  /**
   * A container's line over 16 KiB comes in pieces, and a rotation may come between them; whoever
   * dies, the pieces on both sides are one line. (https://github.com/elastic/beats/issues/6605)
   */
  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void piecesOnBothSidesOfARotationAreOneLine(boolean killBefore, boolean killBetween)
      throws IOException {
    append(log, calls(1, 1) + docker(call(2).substring(0, 100), "stdout"));
    try (TestingShipping shipping = new TestingShipping(config(log + "*").build())) {
      shipping.pass();
      if (killBefore) {
        shipping.kill();
      }
      rename(log, folder.resolve("app.log.1"));
      append(log, docker("a warning\n", "stderr") + docker(call(2).substring(100, 200), "stdout"));
      shipping.pass();
      if (killBetween) {
        shipping.kill();
        shipping.undonePass();
      }
      assertThat(shipping.status(log.toString()).books().pending()).isLessThanOrEqualTo(1);
      append(log, docker(call(2).substring(200) + "\n", "stdout") + calls(3, 3));
      shipping.pass();
      shipping.kill();
      shipping.settle();
      assertThat(shipping.cids()).containsExactly(1, 2, 3);
      assertThat(shipping.shipped.get(1))
          .isEqualTo(new Shipped(log.toString(), 1, call(1).length() + 1, call(2), null));
      assertThat(shipping.letters).isEmpty();
      assertThat(shipping.status(log.toString()).books().linesRead()).isEqualTo(4);
    }
  }

  @Test
  void piecesWhoseFirstHalfIsGoneAreKeptAside() throws IOException {
    append(log, docker(call(2).substring(0, 100), "stdout"));
    try (TestingShipping shipping = new TestingShipping(config(log + "*").build())) {
      shipping.pass();
      Path rotated = folder.resolve("app.log.1");
      rename(log, rotated);
      append(log, docker(call(2).substring(100, 200), "stdout"));
      shipping.pass();
      shipping.kill();
      Files.delete(rotated);
      shipping.pass();
      append(log, docker(call(2).substring(200) + "\n", "stdout") + calls(3, 3));
      shipping.settle();
      assertThat(shipping.cids()).containsExactly(3);
      // Its beginning isn't there, so nothing tells that it was ours; its book says what is lost.
      SourceStatus status = shipping.status(log.toString());
      assertThat(status.problem()).contains("first pieces of a line");
      assertThat(status.books().linesRead()).isEqualTo(3);
    }
  }

  private static String docker(String text, String stream) {
    return "{\"log\":\"%s\",\"stream\":\"%s\",\"time\":\"2026-03-01T10:00:00Z\"}\n"
        .formatted(text.replace("\"", "\\\"").replace("\n", "\\n"), stream);
  }

  /**
   * A line without an end isn't begun again by each run (https://github.com/elastic/beats/issues/
   * 19500): its position moves.
   */
  @Test
  void aRestartInsideAnEndlessLineGoesOnThere() throws IOException {
    append(log, calls(1, 1) + "x".repeat(200_000));
    try (TestingShipping shipping =
        new TestingShipping(config(log.toString()).maxLineBytes(2_000).build(), 10_000)) {
      shipping.pass();
      long soFar = shipping.records().get(0).place().position();
      assertThat(soFar).isBetween(Files.size(log) - 64, Files.size(log));
      shipping.kill();
      append(log, "x".repeat(50_000));
      shipping.undonePass();
      shipping.pass();
      shipping.kill();
      append(log, "\n" + calls(2, 2));
      shipping.pass();
      assertThat(shipping.cids()).containsExactly(1, 2);
      assertThat(shipping.letters)
          .containsExactly(
              new TestingShipping.Letter(
                  log.toString(),
                  call(1).length() + 1,
                  QuarantineReason.TOO_LONG,
                  "x".repeat(4096)));
      assertThat(shipping.status(log.toString()).books().bytesRead()).isEqualTo(Files.size(log));
    }
  }

  /**
   * Kafka is away, and files come and go: each is taken hold of before it can go. Without the look
   * in between, the second file is lost in silence.
   * (https://github.com/fluent/fluent-bit/issues/10414)
   */
  @Test
  void filesThatComeAndGoWhileNothingIsReadAreReadToTheirEnds() throws IOException {
    append(log, calls(1, 2));
    try (TestingShipping shipping = new TestingShipping(config(log.toString()).build())) {
      shipping.pass();
      for (int k = 0; k < 5; k++) {
        append(log, calls(3 + 2 * k, 4 + 2 * k));
        shipping.look();
        Files.delete(log);
      }
      assertThat(shipping.sources.handles().open()).isEqualTo(5);
      shipping.look();
      assertThat(shipping.sources.handles().heldBytes()).isEqualTo(calls(1, 12).length());
      shipping.undonePass();
      shipping.settle();
      assertThat(shipping.cids()).isEqualTo(numbers(1, 12));
      assertThat(shipping.sources.handles()).isEqualTo(FileHandles.NONE);
    }
  }

  /** The other half of that case: no handle is free. Who is at risk is said before it happens. */
  @Test
  void aFileThatCannotBeOpenedIsNamedBeforeItIsLost() throws IOException {
    ShipperConfig two = config(folder + "/*.log").maxOpenFiles(2).build();
    for (int k = 1; k <= 4; k++) {
      append(folder.resolve(k + ".log"), calls(k, k));
    }
    try (TestingShipping shipping = new TestingShipping(two)) {
      shipping.look();
      assertThat(shipping.sources.handles())
          .isEqualTo(
              new FileHandles(
                  2,
                  0,
                  2,
                  List.of(folder.resolve("3.log").toString(), folder.resolve("4.log").toString()),
                  0));
      Files.delete(folder.resolve("4.log"));
      shipping.look();
      assertThat(shipping.sources.handles().waiting()).isEqualTo(1);
      assertThat(shipping.sources.handles().lostBytes()).isEqualTo(call(4).length() + 1);
      shipping.pass();
      shipping.pass();
      assertThat(shipping.cids()).isEqualTo(numbers(1, 3));
      assertThat(shipping.sources.handles().waiting()).isZero();
      // Closed for the third, and found again when it grows; also under another name.
      append(folder.resolve("1.log"), calls(5, 5));
      rename(folder.resolve("1.log"), folder.resolve("1.log.1"));
      rename(folder.resolve("1.log.1"), folder.resolve("9.log"));
      shipping.pass();
      shipping.kill();
      shipping.pass();
      shipping.pass();
      assertThat(shipping.cids()).containsExactlyInAnyOrder(1, 2, 3, 5);
      assertThat(shipping.sources.handles().open()).isLessThanOrEqualTo(2);
    }
  }

  /**
   * With {@code -Dshipper.files=10000} as many as its name says; making them is what takes time.
   */
  @Test
  void tenThousandFilesNeedNoMoreHandlesThanAllowed() throws IOException {
    int files = Integer.getInteger("shipper.files", 1_000);
    int handles = files / 10;
    for (int k = 1; k <= files; k++) {
      Files.writeString(folder.resolve(k + ".log"), call(k) + "\n");
    }
    try (TestingShipping shipping =
        new TestingShipping(config(folder + "/*.log").maxOpenFiles(handles).build())) {
      int passes = 0;
      do {
        shipping.pass();
        assertThat(shipping.sources.handles().open()).isLessThanOrEqualTo(handles);
        passes++;
      } while (shipping.sources.needScan());
      assertThat(passes).isEqualTo(10);
      assertThat(shipping.cids().stream().sorted().toList()).isEqualTo(numbers(1, files));
      shipping.pass();
      assertThat(shipping.shipped).hasSize(files);
    }
  }

  @Test
  void positionsOfFilesLongGoneAreForgottenAndTheBooksAreNot() throws IOException {
    try (TestingShipping shipping = new TestingShipping(config(log.toString()).build())) {
      int rotations = Sources.KEPT_GENERATIONS + 20;
      for (int k = 1; k <= rotations; k++) {
        append(log, calls(k, k));
        shipping.settle();
        Files.delete(log);
        shipping.settle();
        if (k % 10 == 0) {
          shipping.undonePass();
          shipping.kill();
        }
      }
      shipping.pass();
      assertThat(shipping.records()).hasSizeLessThanOrEqualTo(Sources.KEPT_GENERATIONS + 1);
      assertThat(shipping.cids()).isEqualTo(numbers(1, rotations));
      assertThat(shipping.status(log.toString()).books().acknowledged()).isEqualTo(rotations);
      assertThat(shipping.status(log.toString()).generation()).isEqualTo(rotations);
    }
  }

  /** Its silence would else hold back until when the numbers are complete. */
  @Test
  void aSourceNobodyAsksForAnyMoreIsSaidToBeUnfollowed() throws IOException {
    Path other = folder.resolve("other");
    append(log, calls(1, 2));
    append(other, calls(3, 4));
    try (TestingShipping first =
        new TestingShipping(config(log.toString(), other.toString()).build())) {
      first.pass();
      Sources later = new Sources(config(other.toString()).build(), first.records(), first);
      later.scan(0, 0);
      assertThat(later.unfollowed())
          .extracting(SourceStatus::source, SourceStatus::state)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple(log.toString(), SourceStatus.State.UNFOLLOWED));
      later.close();
      Sources once =
          new Sources(config(other.toString()).once(true).build(), first.records(), first);
      once.scan(0, 0);
      assertThat(once.unfollowed()).isEmpty();
      once.close();
    }
  }
}
