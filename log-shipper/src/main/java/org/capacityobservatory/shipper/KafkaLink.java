package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.capacityobservatory.log.EntryName;
import org.capacityobservatory.log.EventId;
import org.capacityobservatory.log.JudgedLine;
import org.capacityobservatory.log.QuarantineReason;
import org.capacityobservatory.log.RawSample;
import org.capacityobservatory.log.Topics;
import org.jspecify.annotations.Nullable;

/**
 * The shipper's one transactional producer: lines, dead letters, positions and books that belong
 * together go into one transaction, or none of them does.
 *
 * <p>A transaction begins with the first record sent after the last one's end.
 */
final class KafkaLink implements Outlet, AutoCloseable {
  /** What key, headers and batch may need beside a line: a path has at most 4 KiB. */
  static final int RECORD_OVERHEAD_BYTES = 16 * 1024;

  private static final List<String> TOPICS =
      List.of(Topics.LINES, Topics.DEAD_LETTERS, Topics.POSITIONS, Topics.BOOKS);

  private final ShipperConfig config;
  private final BooleanSupplier stopping;
  private final LinePrivacy privacy;
  private final Callback noteFailure = (metadata, e) -> failedSend(e);
  private KafkaProducer<byte[], byte[]> producer;
  private boolean initialized;
  private boolean inTransaction;

  /** Whether the positions topic says that this shipper has begun. */
  private boolean marked;

  private int records;
  private long bytes;
  private volatile @Nullable Exception sendFailure;
  private final Map<QuarantineReason, Long> quarantined = new EnumMap<>(QuarantineReason.class);

  private KafkaLink(ShipperConfig config, BooleanSupplier stopping) {
    this.config = config;
    this.stopping = stopping;
    this.privacy = new LinePrivacy(config.privacy());
    this.producer = new KafkaProducer<>(KafkaSettings.producer(config));
  }

  /**
   * Checks the topics and takes over the identity's transactions.
   *
   * @return the config with the line cap that the lines topic allows
   * @throws ShipperException if the broker can't be reached in time, or a topic is missing or wrong
   */
  static ShipperConfig check(ShipperConfig config, BooleanSupplier stopping) {
    long deadlineNanos = System.nanoTime() + config.brokerTimeout().toNanos();
    while (true) {
      try (Admin admin = Admin.create(KafkaSettings.admin(config))) {
        return checkTopics(admin, config);
      } catch (TimeoutException e) {
        if (System.nanoTime() - deadlineNanos > 0 || stopping.getAsBoolean()) {
          throw unreachable(config, e);
        }
      } catch (KafkaException e) {
        throw asFailure(e, config);
      }
    }
  }

  private static ShipperException unreachable(ShipperConfig config, KafkaException e) {
    return new ShipperException(
        ShipperException.Kind.BROKER_UNREACHABLE,
        "No Kafka broker answered at %s within %d s: start it, or name another one"
            .formatted(config.bootstrapServers(), config.brokerTimeout().toSeconds()),
        e);
  }

  private static ShipperConfig checkTopics(Admin admin, ShipperConfig config) {
    List<String> missing = new ArrayList<>();
    admin
        .describeTopics(TOPICS)
        .topicNameValues()
        .forEach(
            (topic, description) -> {
              try {
                get(description);
              } catch (UnknownTopicOrPartitionException e) {
                missing.add(topic);
              }
            });
    if (!missing.isEmpty()) {
      throw new ShipperException(
          ShipperException.Kind.TOPIC_MISSING,
          "Kafka at %s lacks the topics %s: create them with ./capacity topics"
              .formatted(config.bootstrapServers(), missing.stream().sorted().toList()));
    }
    ConfigResource lines = new ConfigResource(ConfigResource.Type.TOPIC, Topics.LINES);
    ConfigResource positions = new ConfigResource(ConfigResource.Type.TOPIC, Topics.POSITIONS);
    Map<ConfigResource, Config> settings =
        get(admin.describeConfigs(List.of(lines, positions)).all());
    if (!"compact".equals(setting(settings, positions, TopicConfig.CLEANUP_POLICY_CONFIG))) {
      throw wrong(
          positions, TopicConfig.CLEANUP_POLICY_CONFIG, "compact", "would forget positions");
    }
    long ahead =
        Long.parseLong(setting(settings, lines, TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG));
    if (ahead != Long.MAX_VALUE) {
      throw wrong(
          lines,
          TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
          Long.toString(Long.MAX_VALUE),
          "would refuse lines of a host whose clock is ahead, and stop this shipper with them");
    }
    int room =
        Integer.parseInt(setting(settings, lines, TopicConfig.MAX_MESSAGE_BYTES_CONFIG))
            - RECORD_OVERHEAD_BYTES;
    if (room < RECORD_OVERHEAD_BYTES) {
      throw wrong(lines, TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "1048588", "holds no usual line");
    }
    return config.withMaxLineBytes(Math.min(config.maxLineBytes(), room));
  }

  private static String setting(
      Map<ConfigResource, Config> settings, ConfigResource topic, String name) {
    Config all = settings.get(topic);
    String value = all == null || all.get(name) == null ? null : all.get(name).value();
    if (value == null) {
      throw new ShipperException(
          ShipperException.Kind.TOPIC_WRONG,
          "The broker doesn't tell the setting %s of topic %s".formatted(name, topic.name()));
    }
    return value;
  }

  private static ShipperException wrong(
      ConfigResource topic, String name, String value, String because) {
    return new ShipperException(
        ShipperException.Kind.TOPIC_WRONG,
        "Topic %s %s: set its %s to %s".formatted(topic.name(), because, name, value));
  }

  private static <T> T get(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /**
   * Connects; {@link #begin} must follow.
   *
   * @throws ShipperException if the Kafka settings can't be used
   */
  static KafkaLink open(ShipperConfig config, BooleanSupplier stopping) {
    try {
      return new KafkaLink(config, stopping);
    } catch (KafkaException e) {
      throw asFailure(e, config);
    }
  }

  /**
   * Ends what an earlier shipper of this identity left open, shuts that one out, and tells where it
   * came to.
   *
   * @throws KafkaException if Kafka doesn't answer
   */
  Positions begin() {
    if (initialized) {
      // An earlier call came so far, and then Kafka didn't answer.
      return positions();
    }
    if (hasShipped() && !new PositionReader(config, stopping).isAnythingThere()) {
      throw new ShipperException(
          ShipperException.Kind.POSITIONS_UNREADABLE,
          ("The positions of %s are gone: the broker knows its transactions, and %s holds nothing"
                  + " of it. Nothing was shipped: restore that topic, or choose a new identity,"
                  + " which ships everything on disk again")
              .formatted(config.identity(), Topics.POSITIONS));
    }
    producer.initTransactions();
    initialized = true;
    return positions();
  }

  /**
   * Whether the broker remembers a transaction of this shipper; it does for a week. To be asked
   * before {@code initTransactions}, which makes it forget.
   */
  private boolean hasShipped() {
    String id = KafkaSettings.transactionalId(config);
    try (Admin admin = Admin.create(KafkaSettings.admin(config))) {
      return get(admin.describeTransactions(List.of(id)).description(id)).state()
          != TransactionState.EMPTY;
    } catch (TransactionalIdNotFoundException e) {
      return false;
    }
  }

  private Positions positions() {
    Positions found = new PositionReader(config, stopping).read();
    marked = found.marked();
    return found;
  }

  @Override
  public void line(Origin from, JudgedLine line, long readAtMillis) {
    send(
        new ProducerRecord<>(
            Topics.LINES,
            null,
            EventTime.isTold(line) ? line.timeMillis() : readAtMillis,
            from.nameText(),
            privacy.rewrite(line.bytes(), line.from(), line.to()),
            from.headers().of(line, readAtMillis)));
  }

  private static UUID idOf(Origin from, JudgedLine line) {
    EntryName name = line.name();
    return name == null
        ? EventId.of(from.sourceName(), from.number(), line.position())
        : EventId.named(name);
  }

  @Override
  public void deadLetter(Origin from, JudgedLine line, long readAtMillis) {
    QuarantineReason reason = line.reason();
    RawSample raw = line.raw();
    if (reason == null || raw == null) {
      throw new IllegalArgumentException("Only a line kept aside makes a dead letter");
    }
    quarantined.merge(reason, 1L, Long::sum);
    boolean withheld = privacy.withholdsRawBytes();
    UUID id = idOf(from, line);
    send(
        new ProducerRecord<>(
            Topics.DEAD_LETTERS,
            from.nameText(),
            ReportCodec.deadLetter(
                id, from.sourceName(), from.number(), line, reason, raw, withheld, readAtMillis)));
  }

  void position(PositionRecord at) {
    send(
        new ProducerRecord<>(
            Topics.POSITIONS, PositionCodec.key(config.identity(), at), PositionCodec.value(at)));
  }

  /** A generation's position is needed no more. */
  void forget(Generation generation) {
    send(
        new ProducerRecord<>(
            Topics.POSITIONS,
            PositionCodec.key(config.identity(), generation.source().name(), generation.number()),
            null));
  }

  void book(SourceStatus source, long nowMillis) {
    send(
        new ProducerRecord<>(
            Topics.BOOKS,
            source.source().getBytes(UTF_8),
            ReportCodec.book(source, config.identity(), nowMillis)));
  }

  private void send(ProducerRecord<byte[], byte[]> record) {
    if (!inTransaction) {
      sendFailure = null;
      // Also where beginning fails: undoing it is what finds a producer beyond use.
      inTransaction = true;
      producer.beginTransaction();
      if (!marked) {
        var unused =
            producer.send(
                new ProducerRecord<>(
                    Topics.POSITIONS,
                    PositionCodec.markerKey(config.identity()),
                    PositionCodec.marker()),
                noteFailure);
      }
    }
    // A client without metadata or room blocks for as long as it may at every send: once is enough.
    checkSends();
    records++;
    byte[] value = record.value();
    bytes += value == null ? 0 : value.length;
    var unused = producer.send(record, noteFailure);
  }

  private void failedSend(@Nullable Exception e) {
    if (e != null) {
      sendFailure = e;
    }
  }

  /** Records in the transaction in hand. */
  int records() {
    return records;
  }

  /** Value bytes in the transaction in hand. */
  long bytes() {
    return bytes;
  }

  /**
   * Throws what a send has failed with, before everything behind it fails too.
   *
   * @throws KafkaException the failure
   */
  void checkSends() {
    Exception e = sendFailure;
    if (e != null) {
      throw new KafkaException("a record of the transaction could not be sent", e);
    }
  }

  /**
   * Commits the transaction in hand. When the broker doesn't answer, whether it is committed is not
   * known, and asking again is the only way to learn it.
   *
   * @param waiting told when the broker doesn't answer
   * @throws KafkaException if it isn't committed, or not known to be when the shipper stops
   */
  void commit(Runnable waiting) {
    if (!inTransaction) {
      return;
    }
    while (true) {
      try {
        producer.commitTransaction();
        marked = true;
        ended();
        return;
      } catch (TimeoutException e) {
        waiting.run();
        if (stopping.getAsBoolean()) {
          throw e;
        }
      }
    }
  }

  /** Lines kept aside in the transaction in hand, by reason. */
  Map<QuarantineReason, Long> quarantined() {
    return new TreeMap<>(quarantined);
  }

  private void ended() {
    inTransaction = false;
    records = 0;
    bytes = 0;
    sendFailure = null;
    quarantined.clear();
  }

  /**
   * Undoes the transaction in hand, and tells where the committed ones came to.
   *
   * <p>A transaction that the broker timed out and a real take-over by another shipper fail alike;
   * only the abort tells them apart.
   *
   * @throws ProducerFencedException if another shipper has taken over
   * @throws KafkaException if Kafka doesn't answer: then it is to be called again
   */
  Positions startAgain() {
    if (inTransaction) {
      try {
        producer.abortTransaction();
      } catch (ProducerFencedException | TimeoutException | InterruptException e) {
        throw e;
      } catch (KafkaException | IllegalStateException e) {
        renew();
        producer.initTransactions();
      }
      ended();
    }
    return positions();
  }

  /** This producer is beyond use; its successor's {@code initTransactions} settles its affairs. */
  private void renew() {
    producer.close(Duration.ZERO);
    producer = new KafkaProducer<>(KafkaSettings.producer(config));
  }

  /** Closes; a transaction in hand is left to the next shipper of this identity, or the broker. */
  @Override
  public void close() {
    producer.close(inTransaction ? Duration.ZERO : Duration.ofSeconds(2));
  }

  /** The failure that no retry mends, or null. */
  static @Nullable ShipperException asLasting(Throwable e, ShipperConfig config) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProducerFencedException) {
        return new ShipperException(
            ShipperException.Kind.FENCED,
            "Another shipper has taken over the identity %s: give each shipper its own"
                .formatted(config.identity()),
            e);
      }
      if (cause instanceof AuthenticationException || cause instanceof AuthorizationException) {
        return new ShipperException(
            ShipperException.Kind.NOT_ALLOWED,
            "Kafka at %s refuses this shipper: %s"
                .formatted(config.bootstrapServers(), cause.getMessage()),
            e);
      }
      if (cause instanceof RecordTooLargeException || cause instanceof InvalidTimestampException) {
        return new ShipperException(
            ShipperException.Kind.TOPIC_WRONG,
            "Kafka at %s refuses a record for good: %s. Mend the topic's settings"
                .formatted(config.bootstrapServers(), cause.getMessage()),
            e);
      }
    }
    return null;
  }

  private static ShipperException asFailure(KafkaException e, ShipperConfig config) {
    ShipperException lasting = asLasting(e, config);
    if (lasting != null) {
      return lasting;
    }
    String message = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
    return new ShipperException(
        ShipperException.Kind.BROKER_UNREACHABLE,
        "Kafka at %s can't be used: %s".formatted(config.bootstrapServers(), message),
        e);
  }
}
