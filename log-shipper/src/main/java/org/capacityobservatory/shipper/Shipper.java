package org.capacityobservatory.shipper;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.capacityobservatory.log.QuarantineReason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ships the lines of files and other sources into Kafka, each of the limiter's lines once.
 *
 * <p>Lines, dead letters, positions and books go in one Kafka transaction, so a shipper that dies
 * at any moment goes on, when started again with the same identity, with the first line not
 * committed. While Kafka is away nothing is read, files that were open stay open, and it goes on
 * when Kafka is back. docs/decisions/0004-positions-and-books.md has the rules.
 *
 * <p>One thread does all the work: {@link #start()} makes one, or call {@link #run()} on yours.
 */
public final class Shipper implements Runnable, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Shipper.class);

  private static final int BUFFER_BYTES = 256 * 1024;

  /** Value bytes after which a transaction is committed: what a lost one costs to read again. */
  private static final long MAX_BATCH_BYTES = 128L * 1024 * 1024;

  /** A transaction isn't held open longer, so that readers of committed records see progress. */
  private static final long MAX_BATCH_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How often the disk is looked at for new, renamed and vanished files; less if it takes long. */
  private static final long SCAN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long FIRST_BACKOFF_MILLIS = 100;
  private static final long MAX_BACKOFF_MILLIS = 5_000;
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

  private final ShipperConfig asked;
  private final InstantSource clock;
  private final NanoClock nanoClock;
  private final InputStream stdin;
  private final ShipperMetrics metrics;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final CountDownLatch over = new CountDownLatch(1);
  private final CountDownLatch stopSignal = new CountDownLatch(1);
  private final Map<String, SourceStatus> booksWritten = new HashMap<>();
  private final Map<String, Long> bookWrittenNanos = new HashMap<>();
  private volatile ShipperStatus status = ShipperStatus.starting();
  private volatile @Nullable ShipperException failure;
  private volatile long unacknowledged;
  private @Nullable Thread thread;
  private long transactionsCommitted;
  private long transactionsAborted;
  private long nextScanNanos;
  private int firstInRound;
  private long backoffMillis = FIRST_BACKOFF_MILLIS;

  /**
   * A shipper that has not begun.
   *
   * @param config what it reads, where to, and as whom
   * @param clock the wall clock: read times, and the bound for times in the future
   * @param registry takes its meters, {@code capacity.ship.…}
   */
  public Shipper(ShipperConfig config, InstantSource clock, MeterRegistry registry) {
    this(config, clock, System::nanoTime, new FileInputStream(FileDescriptor.in), registry);
  }

  Shipper(
      ShipperConfig config,
      InstantSource clock,
      NanoClock nanoClock,
      InputStream stdin,
      MeterRegistry registry) {
    this.asked = config;
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.stdin = stdin;
    this.metrics = new ShipperMetrics(registry, this::status);
  }

  /** Begins to ship, in a thread of its own. */
  public synchronized void start() {
    if (thread != null) {
      throw new IllegalStateException("This shipper was started before");
    }
    Thread own =
        new Thread(
            () -> {
              try {
                run();
              } catch (ShipperException e) {
                log.error("{}", e.getMessage());
              }
            },
            "capacity-ship");
    own.setDaemon(true);
    own.start();
    thread = own;
  }

  /**
   * Ships until everything is shipped (once) or the shipper is closed.
   *
   * @throws ShipperException if it can't begin or go on, in one sentence
   */
  @Override
  public void run() {
    try {
      ship();
      status = status.as(isStopping() ? ShipperStatus.State.CLOSED : ShipperStatus.State.DONE);
    } catch (ShipperException e) {
      failure = e;
      status = status.as(ShipperStatus.State.FAILED);
      throw e;
    } catch (InterruptException e) {
      // The wait for a clean close was over: what wasn't committed is shipped by the next run.
      status = status.as(ShipperStatus.State.CLOSED);
    } catch (RuntimeException e) {
      ShipperException internal =
          new ShipperException(
              ShipperException.Kind.INTERNAL, "The shipper stopped by a fault: " + e, e);
      failure = internal;
      status = status.as(ShipperStatus.State.FAILED);
      log.error("{}", internal.getMessage(), e);
      throw internal;
    } finally {
      over.countDown();
    }
  }

  private void ship() {
    for (String pattern : new FilePatterns(asked.files()).empty()) {
      log.warn(
          "no file matches {}: check the pattern, and quote it for the shell; files that come are"
              + " taken up",
          pattern);
    }
    ShipperConfig config = KafkaLink.check(asked, this::isStopping);
    try (KafkaLink link = KafkaLink.open(config, this::isStopping)) {
      Positions positions = untilAnswered(config, link::begin, null);
      if (positions == null) {
        return;
      }
      Sources sources = new Sources(config, positions.files(), link);
      try (Feeds feeds = new Feeds(config, positions, link, clock, nanoClock, stdin)) {
        shipFeeds(sources, feeds, link, config);
      } finally {
        sources.close();
      }
    }
  }

  private void shipFeeds(Sources sources, Feeds feeds, KafkaLink link, ShipperConfig config) {
    try {
      shipFrom(sources, feeds, link, config);
      if (isStopping()) {
        finishFeeds(sources, feeds, link, config);
      }
    } finally {
      unacknowledged = feeds.unacknowledged();
    }
  }

  private void shipFrom(Sources sources, Feeds feeds, KafkaLink link, ShipperConfig config) {
    status = status.as(ShipperStatus.State.SHIPPING);
    nextScanNanos = nanoClock.nanoTime();
    while (!isStopping()) {
      try {
        boolean more = pass(sources, feeds, link, config);
        if (!more && isToEnd(feeds, config) && finishOnce(sources, feeds, link, config)) {
          return;
        }
        if (!more) {
          pause(config.pollInterval().toMillis());
        }
      } catch (KafkaException | IllegalStateException e) {
        if (!recover(sources, feeds, link, config, e)) {
          return;
        }
      }
    }
  }

  private static boolean isToEnd(Feeds feeds, ShipperConfig config) {
    return config.once() || (config.files().isEmpty() && feeds.endByThemselves());
  }

  /** What was taken from standard input can't be read again: it is shipped before the end. */
  private void finishFeeds(Sources sources, Feeds feeds, KafkaLink link, ShipperConfig config) {
    feeds.stop();
    try {
      while (feeds.readFleeting(buffer, clock.millis())) {
        commit(sources, feeds, link, config);
      }
    } catch (KafkaException | IllegalStateException e) {
      log.warn("what stands in the last transaction is not known to be shipped: {}", rootOf(e));
    }
  }

  /**
   * Reads until a batch is full or every file is at its end, and commits it.
   *
   * @return whether there may be more to read at once
   */
  private boolean pass(Sources sources, Feeds feeds, KafkaLink link, ShipperConfig config) {
    long beganNanos = nanoClock.nanoTime();
    if (beganNanos - nextScanNanos >= 0 || sources.needScan()) {
      sources.scan(clock.millis(), beganNanos);
      long tookNanos = nanoClock.nanoTime() - beganNanos;
      nextScanNanos = beganNanos + Math.max(SCAN_NANOS, tookNanos * 10);
    }
    boolean more = true;
    while (more && !isFull(link, config, beganNanos)) {
      more = readRound(inputs(sources, feeds), link, config, beganNanos);
    }
    commit(sources, feeds, link, config);
    return more;
  }

  /**
   * Reads a buffer of each source, beginning where the last round was broken off: a batch may be
   * full before every source has had its turn.
   *
   * @return whether there is more to read at once
   */
  private boolean readRound(
      List<Input> active, KafkaLink link, ShipperConfig config, long beganNanos) {
    boolean more = false;
    for (int k = 0; k < active.size(); k++) {
      Input source = active.get((firstInRound + k) % active.size());
      more |= source.read(buffer, clock.millis(), nanoClock.nanoTime());
      link.checkSends();
      if (isFull(link, config, beganNanos)) {
        firstInRound = (firstInRound + k + 1) % active.size();
        return true;
      }
    }
    return more;
  }

  private static List<Input> inputs(Sources sources, Feeds feeds) {
    List<Input> inputs = new ArrayList<>(sources.active());
    inputs.addAll(feeds.all());
    return inputs;
  }

  private boolean isFull(KafkaLink link, ShipperConfig config, long beganNanos) {
    return isStopping()
        || link.records() >= config.maxBatchRecords()
        || link.bytes() >= MAX_BATCH_BYTES
        || nanoClock.nanoTime() - beganNanos >= MAX_BATCH_NANOS;
  }

  /** What was read is committed with the positions and books that belong to it. */
  private void commit(Sources sources, Feeds feeds, KafkaLink link, ShipperConfig config) {
    long nowMillis = clock.millis();
    long nowNanos = nanoClock.nanoTime();
    List<SourceStatus> now = new ArrayList<>();
    List<SourceStatus> books = new ArrayList<>();
    sources.forget(link::forget);
    for (Input source : inputs(sources, feeds)) {
      source.writePositions(link::position);
      SourceStatus one = source.status();
      if (!one.books().balance()) {
        throw new ShipperException(
            ShipperException.Kind.INTERNAL,
            "The books of %s don't balance: %s".formatted(one.source(), one.books()));
      }
      now.add(one);
      if (isBookDue(one, config, nowNanos)) {
        link.book(one, nowMillis);
        books.add(one);
      }
    }
    for (SourceStatus gone : sources.unfollowed()) {
      if (isBookDue(gone, config, nowNanos)) {
        link.book(gone, nowMillis);
        books.add(gone);
      }
    }
    boolean anything = link.records() > 0;
    Map<QuarantineReason, Long> quarantined = link.quarantined();
    link.commit(() -> waitForBroker(sources));
    backoffMillis = FIRST_BACKOFF_MILLIS;
    if (anything) {
      transactionsCommitted++;
    }
    inputs(sources, feeds).forEach(Input::written);
    for (SourceStatus book : books) {
      booksWritten.put(book.source(), book);
      bookWrittenNanos.put(book.source(), nowNanos);
    }
    sources.committed();
    publish(sources, now);
    metrics.committed(status, quarantined);
  }

  private boolean isBookDue(SourceStatus source, ShipperConfig config, long nowNanos) {
    if (!source.equals(booksWritten.get(source.source()))) {
      return true;
    }
    Long writtenNanos = bookWrittenNanos.get(source.source());
    boolean over =
        source.state() == SourceStatus.State.ENDED
            || source.state() == SourceStatus.State.UNFOLLOWED;
    return !over
        && (writtenNanos == null
            || nowNanos - writtenNanos >= config.heartbeatInterval().toNanos());
  }

  private void publish(Sources sources, List<SourceStatus> now) {
    status =
        new ShipperStatus(
            ShipperStatus.State.SHIPPING,
            now,
            transactionsCommitted,
            transactionsAborted,
            sources.identitiesChanged(),
            sources.truncations(),
            sources.copiesRecognised(),
            sources.handles());
  }

  /** Tries what stands at the files' ends; true once everything is shipped and committed. */
  private boolean finishOnce(Sources sources, Feeds feeds, KafkaLink link, ShipperConfig config) {
    if (!sources.completeOnce(clock.millis()) || !feeds.areEnded()) {
      return false;
    }
    commit(sources, feeds, link, config);
    return true;
  }

  /** Takes everything back to what is committed, waiting as long as Kafka is away. */
  private boolean recover(
      Sources sources, Feeds feeds, KafkaLink link, ShipperConfig config, RuntimeException cause) {
    ShipperException lasting = KafkaLink.asLasting(cause, config);
    if (lasting != null) {
      throw lasting;
    }
    if (cause instanceof InterruptException || isStopping()) {
      return false;
    }
    transactionsAborted++;
    log.warn("the transaction in hand is undone and will be shipped again: {}", rootOf(cause));
    pause(backoffMillis);
    Positions positions = untilAnswered(config, link::startAgain, sources);
    if (positions == null) {
      return false;
    }
    sources.rewind(positions.files());
    feeds.rewind(positions);
    // What the lost transaction said of books may never have been written.
    booksWritten.clear();
    status = status.as(ShipperStatus.State.SHIPPING);
    return true;
  }

  @FunctionalInterface
  private interface Asking {
    Positions positions();
  }

  /** Asks until Kafka answers; null when the shipper is to stop. */
  private @Nullable Positions untilAnswered(
      ShipperConfig config, Asking asking, @Nullable Sources sources) {
    while (!isStopping()) {
      try {
        return asking.positions();
      } catch (InterruptException e) {
        throw e;
      } catch (KafkaException e) {
        ShipperException lasting = KafkaLink.asLasting(e, config);
        if (lasting != null) {
          throw lasting;
        }
        waitForBroker(sources);
        log.warn("Kafka at {} doesn't answer: {}", config.bootstrapServers(), rootOf(e));
        backoffMillis = Math.min(MAX_BACKOFF_MILLIS, backoffMillis * 2);
        pause(e instanceof TimeoutException ? FIRST_BACKOFF_MILLIS : backoffMillis);
      }
    }
    return null;
  }

  /** Nothing is read, but what may be renamed or removed meanwhile must be open by then. */
  private void waitForBroker(@Nullable Sources sources) {
    if (sources != null) {
      sources.look(nanoClock.nanoTime());
      status = status.with(sources.handles());
    }
    status = status.as(ShipperStatus.State.WAITING_FOR_BROKER);
  }

  private static String rootOf(Throwable e) {
    Throwable root = e;
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      root = cause;
    }
    return root.toString();
  }

  private void pause(long millis) {
    try {
      boolean unused = stopSignal.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  private boolean isStopping() {
    return stopSignal.getCount() == 0;
  }

  /** Where it stands, as of the last committed transaction; never waits. */
  public ShipperStatus status() {
    return status;
  }

  /**
   * Lines taken from standard input that are not known to stand in Kafka, once it is through: they
   * can't be read again. A lower bound where it failed.
   */
  public long unacknowledged() {
    return unacknowledged;
  }

  /**
   * Waits until it is through: everything is shipped (once), it is closed, or it has failed.
   *
   * @return where it stands then, or at the end of the wait
   * @throws ShipperException if it failed
   * @throws InterruptedException if this thread is interrupted
   */
  public ShipperStatus awaitDone(Duration atMost) throws InterruptedException {
    boolean unused = over.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    ShipperException e = failure;
    if (e != null) {
      throw e;
    }
    return status;
  }

  /**
   * Stops: what is read is committed, then files and connections are closed, within 10 s. If Kafka
   * doesn't answer that long, what isn't committed is left to the next run, which ships it.
   */
  @Override
  public void close() {
    stopSignal.countDown();
    Thread own;
    synchronized (this) {
      own = thread;
    }
    if (own == null || own == Thread.currentThread()) {
      return;
    }
    try {
      own.join(CLOSE_WAIT.toMillis());
      if (own.isAlive()) {
        own.interrupt();
        own.join(CLOSE_WAIT.toMillis());
      }
    } catch (InterruptedException e) {
      own.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
