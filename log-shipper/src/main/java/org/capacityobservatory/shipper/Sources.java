package org.capacityobservatory.shipper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All sources of a shipper, and the look at the disk that tells which file is which.
 *
 * <p>A file is taken for one known already only if device and inode, its head and its size agree:
 * an inode alone is given to the next file as soon as the first is gone. The rules for rotation,
 * truncation and copies are in docs/shipping.md.
 */
final class Sources {
  private static final Logger log = LoggerFactory.getLogger(Sources.class);

  /** Rotations keep fewer files than this as a rule, and a position has about 500 bytes. */
  static final int KEPT_GENERATIONS = 32;

  /** So many files without a handle are named; of all of them there is a count. */
  private static final int SAID_AT_ONCE = 20;

  /** What rotation adds to a log's name: a number, a date, a time, {@code .gz}, {@code .zst}. */
  private static final Pattern ROTATION_SUFFIX =
      Pattern.compile("([._-][0-9][0-9T:_-]*)?(\\.(gz|zst))?$");

  private final ShipperConfig config;
  private final Outlet outlet;
  private final FilePatterns patterns;
  private final Map<String, Source> byName = new TreeMap<>();
  private final Map<String, List<Source>> byStem = new HashMap<>();
  private final Set<FileId> copiesSeen = new HashSet<>();

  /** As of the look in hand: there may be thousands of files. */
  private Map<FileId, List<Generation>> byId = Map.of();

  /** Open files that could be closed for others, the longest quiet first. */
  private final Deque<Generation> closable = new ArrayDeque<>();

  private int openFiles;

  /** Files that no handle was free for at the last look. */
  private Map<FileId, Waiting> waiting = Map.of();

  private long lostBytes;
  private boolean aimed;
  private long identitiesChanged;
  private long truncations;
  private long copiesRecognised;

  Sources(ShipperConfig config, Collection<GenerationRecord> records, Outlet outlet) {
    this.config = config;
    this.outlet = outlet;
    this.patterns = new FilePatterns(config.files());
    List<GenerationRecord> inOrder = new ArrayList<>(records);
    inOrder.sort(Comparator.comparingLong(GenerationRecord::generation));
    for (GenerationRecord at : inOrder) {
      Source source = source(at.source());
      source.generations().add(new Generation(source, at, config, outlet));
    }
  }

  private record Found(Path path, FileStat stat) {}

  private record Waiting(Path path, long size) {}

  private Source source(String name) {
    Source known = byName.get(name);
    if (known != null) {
      return known;
    }
    String path =
        name.startsWith(config.sourcePrefix())
            ? name.substring(config.sourcePrefix().length())
            : name;
    Source source = new Source(name, path);
    byName.put(name, source);
    byStem.computeIfAbsent(stem(path), absent -> new ArrayList<>()).add(source);
    return source;
  }

  /** Every source that this run has to do with, by name. */
  List<Source> active() {
    return byName.values().stream().filter(Source::isActive).toList();
  }

  /** Looks at the disk: finds new files, follows renamed ones, and ends those that are gone. */
  void scan(long nowMillis, long nowNanos) {
    List<Generation> detachedBefore = generations().filter(Generation::isDetached).toList();
    look(nowNanos);
    for (Generation generation : detachedBefore) {
      // One more look has passed and no copy took it over: nothing more will come.
      if (generation.isDetached() && !generation.isEnded()) {
        generation.finish(nowMillis);
      }
    }
    generations().toList().forEach(generation -> endIfGone(generation, nowMillis, nowNanos));
    aimOnce();
  }

  /**
   * The part of a scan that gives nothing out, so that it can be done while Kafka is away too: what
   * is renamed or removed meanwhile must be open by then.
   */
  void look(long nowNanos) {
    Map<FileId, List<Generation>> index = new HashMap<>();
    generations()
        .forEach(
            generation -> {
              generation.hide();
              index.computeIfAbsent(generation.id(), absent -> new ArrayList<>()).add(generation);
            });
    byId = index;
    Map<FileId, FileStat> seen = new HashMap<>();
    List<Found> toOpen = new ArrayList<>();
    openFiles = (int) generations().filter(Generation::hasHandle).count();
    closable.clear();
    for (Map.Entry<Path, Boolean> match : find().entrySet()) {
      look(match.getKey(), match.getValue(), seen, toOpen);
    }
    generations()
        .filter(Generation::isIdle)
        .sorted(Comparator.comparingLong(Generation::quietSinceNanos))
        .forEach(closable::add);
    Map<FileId, Waiting> stillWaiting = new HashMap<>();
    for (Found found : toOpen) {
      if (!isRoom()) {
        wait(found, stillWaiting);
      } else if (!isKnown(found)) {
        meet(found.path(), nowNanos);
      }
    }
    noteLost(seen.keySet());
    waiting = stillWaiting;
  }

  /** Whether one more file may be opened, if need be in the place of one that is read. */
  private boolean isRoom() {
    while (openFiles >= config.maxOpenFiles() && !closable.isEmpty()) {
      closable.remove().closeHandle();
      openFiles--;
    }
    return openFiles < config.maxOpenFiles();
  }

  private void wait(Found found, Map<FileId, Waiting> stillWaiting) {
    FileStat stat = found.stat();
    stillWaiting.put(stat.id(), new Waiting(found.path(), stat.size()));
    candidates(found.path(), stat.id()).stream()
        .findFirst()
        .ifPresent(likely -> likely.foundAt(found.path().toString()));
    if (!waiting.containsKey(stat.id()) && stillWaiting.size() <= SAID_AT_ONCE) {
      log.warn(
          "{} is not opened: maxOpenFiles ({}) files are open and not read to their end. If it is"
              + " removed before one of them is, its {} bytes will be lost",
          found.path(),
          config.maxOpenFiles(),
          stat.size());
    }
  }

  private void noteLost(Set<FileId> seen) {
    waiting.forEach(
        (id, file) -> {
          if (!seen.contains(id)) {
            lostBytes += file.size();
            log.warn(
                "{} was removed before it could be opened: at least {} bytes are lost",
                file.path(),
                file.size());
          }
        });
  }

  FileHandles handles() {
    long heldBytes =
        generations()
            .filter(generation -> generation.hasHandle() && !generation.isVisible())
            .mapToLong(Generation::size)
            .sum();
    return new FileHandles(
        (int) generations().filter(Generation::hasHandle).count(),
        heldBytes,
        waiting.size(),
        waiting.values().stream()
            .map(file -> file.path().toString())
            .sorted()
            .limit(SAID_AT_ONCE)
            .toList(),
        lostBytes);
  }

  private Stream<Generation> generations() {
    return byName.values().stream().flatMap(source -> source.generations().stream());
  }

  private Map<Path, Boolean> find() {
    try {
      return patterns.find();
    } catch (UncheckedIOException e) {
      log.warn("{}", e.getMessage());
      return Map.of();
    }
  }

  private void look(Path path, boolean named, Map<FileId, FileStat> seen, List<Found> toOpen) {
    FileStat stat;
    try {
      stat = FileStat.of(path);
    } catch (IOException e) {
      if (named || !(e instanceof NoSuchFileException)) {
        failUnlessKnown(path, e);
      }
      return;
    }
    if (stat.directory()) {
      sourceAt(path)
          .fail("it is a directory: name its files, or a glob such as " + path + "/*.log");
    } else if (!stat.regular()) {
      sourceAt(path).fail("it is no regular file");
    } else if (seen.putIfAbsent(stat.id(), stat) == null) {
      // A second path to the same file is the same lines.
      Found found = new Found(path, stat);
      boolean needsHandle =
          candidates(path, stat.id()).stream()
              .noneMatch(likely -> likely.hasHandle() || likely.isUnchanged(stat));
      if (needsHandle || !isKnown(found)) {
        toOpen.add(found);
      }
    }
  }

  private void failUnlessKnown(Path path, IOException e) {
    Source source = sourceAt(path);
    if (e instanceof NoSuchFileException && !source.generations().isEmpty()) {
      // A file known already and gone: its generation's end says so.
      return;
    }
    source.fail(sentence(e));
  }

  private static String sentence(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "it can't be opened: permission denied";
    }
    String message = e.getMessage();
    return "it can't be read: " + (message == null ? e.getClass().getSimpleName() : message);
  }

  private Source sourceAt(Path path) {
    return source(config.sourcePrefix() + path);
  }

  /** Whether a file is a generation known already; then that one is noted as seen. */
  private boolean isKnown(Found found) {
    Path path = found.path();
    FileStat stat = found.stat();
    List<Generation> candidates = candidates(path, stat.id());
    for (Generation candidate : candidates) {
      if (isStill(candidate, path, stat)) {
        candidate.foundAt(path.toString());
        candidate.source().activate();
        candidate.source().clearProblem();
        return true;
      }
    }
    if (!candidates.isEmpty()) {
      Generation first = candidates.get(0);
      boolean shorter = first.path().equals(path.toString()) && stat.size() < first.position();
      if (first.isNothing()) {
        log.debug("{} has the inode of a file of which nothing was taken", path);
      } else if (shorter) {
        truncations++;
        log.info("{} was truncated: a new generation begins", path);
      } else {
        identitiesChanged++;
        log.info("{} is another file than the one that had its inode", path);
      }
      for (Generation candidate : candidates) {
        openFiles -= candidate.hasHandle() ? 1 : 0;
        candidate.detach();
      }
    }
    return false;
  }

  /** Generations that had this inode last, per source the newest; the likeliest first. */
  private List<Generation> candidates(Path path, FileId id) {
    Map<Source, Generation> newest = new LinkedHashMap<>();
    for (Generation generation : byId.getOrDefault(id, List.of())) {
      if (generation.id().equals(id) && !generation.isDetached()) {
        newest.put(generation.source(), generation);
      }
    }
    List<Generation> candidates = new ArrayList<>(newest.values());
    candidates.sort(
        Comparator.comparing((Generation g) -> !g.hasHandle())
            .thenComparing(g -> !g.path().equals(path.toString()))
            .thenComparing(Generation::number, Comparator.reverseOrder()));
    return candidates;
  }

  private boolean isStill(Generation candidate, Path path, FileStat stat) {
    if (candidate.hasHandle()) {
      return !candidate.isSuspect() && (!candidate.saw(stat) || candidate.stillAgrees());
    }
    if (candidate.isUnchanged(stat)) {
      return true;
    }
    if (candidate.isNothing() && stat.size() > 0) {
      return false;
    }
    try {
      OpenFile file = OpenFile.open(path);
      if (!file.stat().id().equals(candidate.id()) || !candidate.agreesWith(file)) {
        file.bytes().close();
        return false;
      }
      attach(candidate, file);
      return true;
    } catch (IOException e) {
      candidate.problem(sentence(e));
      return true;
    }
  }

  private void attach(Generation generation, OpenFile file) {
    openFiles += generation.hasHandle() ? 0 : 1;
    generation.attach(file);
  }

  /** Takes up a file not known: as the copy of one that is, or as a source's next generation. */
  private void meet(Path path, long nowNanos) {
    OpenFile file;
    try {
      file = OpenFile.open(path);
    } catch (IOException e) {
      if (!(e instanceof NoSuchFileException)) {
        sourceAt(path).fail(sentence(e));
      }
      return;
    }
    Generation original = beginningOf(path, file);
    if (original != null && meetCopy(path, file, original, nowNanos)) {
      return;
    }
    Source source = sourceAt(path);
    Generation generation =
        new Generation(source, source.nextNumber(), path.toString(), file, config, outlet);
    openFiles++;
    generation.foundAt(path.toString());
    generation.quietFrom(nowNanos);
    source.generations().add(generation);
    source.activate();
    source.clearProblem();
  }

  /**
   * The generation of the same log, by its name, that begins as this file does: of several the one
   * of which most is known, since lines of one log begin alike, and of those the newest.
   */
  private @Nullable Generation beginningOf(Path path, OpenFile file) {
    Generation best = null;
    for (Source source : byStem.getOrDefault(stem(path.toString()), List.of())) {
      for (Generation generation : source.generations()) {
        boolean better = best == null || generation.headLength() >= best.headLength();
        if (better && generation.position() > 0 && generation.isBeginningOf(file)) {
          best = generation;
        }
      }
    }
    return best;
  }

  /** A log's name without what rotation adds to it. */
  static String stem(String path) {
    return ROTATION_SUFFIX.matcher(path).replaceFirst("");
  }

  /**
   * Takes a file for the copy of a generation, if it is one. While the original is there, a copy
   * has nothing to add. Once that is gone or truncated, reading goes on in the copy.
   */
  private boolean meetCopy(Path path, OpenFile file, Generation original, long nowNanos) {
    if (!original.isVisible() && original.hasHandle() && !original.stillAgrees()) {
      // Truncated, and removed before anyone looked: what it held is in the copy alone.
      openFiles--;
      original.detach();
    }
    boolean intact = original.isVisible() || original.hasHandle();
    boolean goesOn = !intact && original.reaches(file);
    boolean nothingNew = intact ? holdsAllOf(original, file) : !goesOn && original.hasWholeHead();
    if (!goesOn && !nothingNew) {
      return false;
    }
    if (copiesSeen.add(file.stat().id())) {
      copiesRecognised++;
      log.info(
          "{} is a copy of generation {} of {}: it is not read before that one's byte {}",
          path,
          original.number(),
          original.source().name(),
          original.position());
    }
    if (goesOn) {
      attach(original, file);
      original.foundAt(path.toString());
      original.quietFrom(nowNanos);
      original.source().activate();
    } else {
      closeQuietly(file);
    }
    return true;
  }

  /** Whether a copy's bytes all stand in the original too: its head does, and so must its end. */
  private static boolean holdsAllOf(Generation original, OpenFile copy) {
    if (copy.bytes().isCompressed()) {
      return original.hasWholeHead();
    }
    long from = Math.max(0, copy.stat().size() - Head.MAX_BYTES);
    long end = copy.stat().size();
    try {
      return Arrays.equals(
          original.at(from, Head.MAX_BYTES, end), copy.bytes().at(from, Head.MAX_BYTES, end));
    } catch (IOException e) {
      return false;
    }
  }

  private static void closeQuietly(OpenFile file) {
    try {
      file.bytes().close();
    } catch (IOException e) {
      log.debug("Closing a file that was only read failed", e);
    }
  }

  private void endIfGone(Generation generation, long nowMillis, long nowNanos) {
    if (generation.isEnded() || generation.isDetached()) {
      return;
    }
    boolean superseded = generation != generation.source().latest();
    if (generation.hasHandle()) {
      if ((superseded || !generation.isVisible())
          && (generation.isAtEnd() || generation.isSuspect())
          && generation.isQuiet(nowNanos)) {
        generation.finish(nowMillis);
      }
    } else if (!generation.isVisible()
        && generation.problem() == null
        && patterns.covers(Path.of(generation.source().path()))
        && isNowhere(generation)) {
      generation.source().activate();
      lostBytes += generation.lose();
    }
  }

  private static boolean isNowhere(Generation generation) {
    try {
      return !FileStat.of(Path.of(generation.path())).id().equals(generation.id());
    } catch (IOException e) {
      return e instanceof NoSuchFileException;
    }
  }

  /** Shipping once: the ends that the first look saw are the ends to reach. */
  private void aimOnce() {
    if (config.once() && !aimed) {
      generations().forEach(generation -> generation.aimAt(generation.size()));
      aimed = true;
    }
  }

  /** Whether everything to be shipped once is; what stands at the files' ends is tried. */
  boolean completeOnce(long nowMillis) {
    boolean complete = true;
    for (Source source : active()) {
      for (Generation generation : source.generations()) {
        complete &= generation.completeOnce(nowMillis);
      }
    }
    return complete;
  }

  /** Whether a file was found to be another one: a look at the disk says which. */
  boolean needScan() {
    return !waiting.isEmpty()
        || generations()
            .anyMatch(
                generation ->
                    generation.isSuspect() || (generation.isDetached() && !generation.isEnded()));
  }

  /**
   * Forgets generations long through and gone from disk, all but a source's newest few, which may
   * come back compressed. Their books are taken over by the next one.
   *
   * @param forget told each of them
   */
  void forget(Consumer<Generation> forget) {
    for (Source source : active()) {
      List<Generation> generations = source.generations();
      if (generations.size() <= KEPT_GENERATIONS) {
        continue;
      }
      for (int k = generations.size() - 1 - KEPT_GENERATIONS; k >= 0; k--) {
        Generation old = generations.get(k);
        if (old.isForgettable()) {
          generations.get(k + 1).absorb(old.books());
          generations.remove(k);
          forget.accept(old);
        }
      }
    }
  }

  /** Sources that an earlier run followed to no end, and that nobody asks for any more. */
  List<SourceStatus> unfollowed() {
    if (config.once()) {
      // It ships these files and has no say in what else is followed.
      return List.of();
    }
    return byName.values().stream()
        .filter(source -> !source.isActive() && !source.generations().isEmpty())
        .filter(source -> source.status().state() != SourceStatus.State.ENDED)
        .filter(source -> !patterns.covers(Path.of(source.path())))
        .map(source -> source.status().as(SourceStatus.State.UNFOLLOWED))
        .toList();
  }

  /** The transaction is committed: files read to their end for good are let go. */
  void committed() {
    generations()
        .filter(generation -> generation.isEnded() && generation.hasHandle())
        .forEach(Generation::closeHandle);
  }

  /** Takes every generation back to what is committed. */
  void rewind(Collection<GenerationRecord> records) {
    Map<String, GenerationRecord> byKey = new HashMap<>();
    records.forEach(at -> byKey.put(at.source() + '|' + at.generation(), at));
    for (GenerationRecord at : records) {
      // What was forgotten in the lost transaction is known again.
      Source source = source(at.source());
      if (source.generations().stream().noneMatch(g -> g.number() == at.generation())) {
        source.generations().add(new Generation(source, at, config, outlet));
        source.generations().sort(Comparator.comparingLong(Generation::number));
      }
    }
    generations()
        .forEach(
            generation ->
                generation.rewind(
                    byKey.get(generation.source().name() + '|' + generation.number())));
  }

  void close() {
    generations().forEach(Generation::closeHandle);
  }

  long identitiesChanged() {
    return identitiesChanged;
  }

  long truncations() {
    return truncations;
  }

  long copiesRecognised() {
    return copiesRecognised;
  }
}
