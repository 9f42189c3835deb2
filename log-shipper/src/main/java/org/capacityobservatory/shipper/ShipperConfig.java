package org.capacityobservatory.shipper;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * What a shipper reads, where to, and as whom; made by {@link #builder} and valid once it exists.
 *
 * @param bootstrapServers Kafka brokers to begin with, {@code host:port}, comma-separated
 * @param identity this shipper's name, 1 to 200 characters: its positions and its transactional id
 *     hang on it, so it must stay the same over restarts and be no other shipper's
 * @param files paths or globs ({@code *}, {@code ?}, {@code **}, {@code [ab]}, {@code {a,b}})
 * @param feeds sources that are no files
 * @param once whether to ship the files to their present end and finish, else to follow them
 * @param sourcePrefix what goes before a file's path in its source's name, e.g. a host; may be
 *     empty
 * @param pollInterval how long to wait, once at every file's end, before looking again; 10 ms–1 min
 * @param heartbeatInterval how often a source's book is written though nothing changed; 100 ms–1
 *     min
 * @param pieceTimeout how long the last piece of a line is waited for; at least 1 ms
 * @param rotatedQuiet how long a rotated file must be silent at its end before it is closed
 * @param maxLineBytes longest line kept whole, also of joined pieces; 1 KiB–64 MiB. A lower cap of
 *     the lines topic holds in its place
 * @param transactionTimeout after which the broker aborts a dead shipper's transaction; 5–15 s, for
 *     that long readers of committed records may stand still
 * @param maxBatchRecords most lines in one transaction, but for the rest of the buffer in hand
 * @param maxOpenFiles most files held open; 1 to 1,000,000. Beyond it, files read to their end are
 *     closed until they grow, and where there is none, new files wait for their turn
 * @param brokerTimeout how long to wait for a broker at the start; afterwards the wait is endless
 * @param privacy what of a line doesn't leave the host
 * @param kafkaProperties further Kafka client settings, e.g. for security
 */
public record ShipperConfig(
    String bootstrapServers,
    String identity,
    List<String> files,
    List<FeedConfig> feeds,
    boolean once,
    String sourcePrefix,
    Duration pollInterval,
    Duration heartbeatInterval,
    Duration pieceTimeout,
    Duration rotatedQuiet,
    int maxLineBytes,
    Duration transactionTimeout,
    int maxBatchRecords,
    int maxOpenFiles,
    Duration brokerTimeout,
    PrivacyConfig privacy,
    Map<String, String> kafkaProperties) {

  private static final int MIN_LINE_BYTES = 1024;
  private static final int MAX_LINE_BYTES = 64 * 1024 * 1024;

  /** Settings that "each line once" hangs on. */
  private static final Set<String> OURS_TO_SET =
      Set.of(
          ProducerConfig.ACKS_CONFIG,
          ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
          ProducerConfig.TRANSACTIONAL_ID_CONFIG,
          ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
          "isolation.level");

  /**
   * Checks everything.
   *
   * @throws ShipperConfigException naming every problem, not only the first
   */
  public ShipperConfig {
    files = List.copyOf(files);
    feeds = List.copyOf(feeds);
    kafkaProperties = Map.copyOf(kafkaProperties);
    List<String> problems = new ArrayList<>();
    check(problems, !bootstrapServers.isBlank(), "bootstrapServers is empty: name a Kafka broker");
    check(
        problems,
        identity.matches("[^|\\p{Cntrl}]{1,200}") && !identity.isBlank(),
        "identity must have 1 to 200 characters, without | and control characters");
    check(
        problems,
        !files.isEmpty() || !feeds.isEmpty(),
        "files is empty, and there is no other source: name at least one file or glob");
    feeds.forEach(feed -> problems.addAll(feed.problems()));
    check(
        problems,
        feeds.stream().distinct().count() == feeds.size(),
        "feeds has one source twice: name it once");
    check(
        problems,
        files.stream().noneMatch(String::isBlank),
        "files holds an empty name: remove it or name a file");
    check(problems, !sourcePrefix.contains("\0"), "sourcePrefix must not contain NUL");
    within(problems, "pollInterval", pollInterval, Duration.ofMillis(10), Duration.ofMinutes(1));
    within(
        problems,
        "heartbeatInterval",
        heartbeatInterval,
        Duration.ofMillis(100),
        Duration.ofMinutes(1));
    within(problems, "pieceTimeout", pieceTimeout, Duration.ofMillis(1), Duration.ofHours(1));
    within(problems, "rotatedQuiet", rotatedQuiet, Duration.ofMillis(1), Duration.ofDays(1));
    check(
        problems,
        maxLineBytes >= MIN_LINE_BYTES && maxLineBytes <= MAX_LINE_BYTES,
        "maxLineBytes must be between 1024 and 67108864, not " + maxLineBytes);
    within(
        problems,
        "transactionTimeout",
        transactionTimeout,
        Duration.ofSeconds(5),
        Duration.ofSeconds(15));
    check(
        problems,
        maxBatchRecords >= 1 && maxBatchRecords <= 1_000_000,
        "maxBatchRecords must be between 1 and 1000000, not " + maxBatchRecords);
    check(
        problems,
        maxOpenFiles >= 1 && maxOpenFiles <= 1_000_000,
        "maxOpenFiles must be between 1 and 1000000, not " + maxOpenFiles);
    within(problems, "brokerTimeout", brokerTimeout, Duration.ofSeconds(1), Duration.ofHours(1));
    problems.addAll(privacy.problems());
    for (String name : new TreeMap<>(kafkaProperties).keySet()) {
      check(
          problems,
          !OURS_TO_SET.contains(name),
          "kafkaProperties must not set " + name + ": the shipper sets it itself");
    }
    if (!problems.isEmpty()) {
      throw new ShipperConfigException(problems);
    }
  }

  ShipperConfig withMaxLineBytes(int bytes) {
    return new ShipperConfig(
        bootstrapServers,
        identity,
        files,
        feeds,
        once,
        sourcePrefix,
        pollInterval,
        heartbeatInterval,
        pieceTimeout,
        rotatedQuiet,
        bytes,
        transactionTimeout,
        maxBatchRecords,
        maxOpenFiles,
        brokerTimeout,
        privacy,
        kafkaProperties);
  }

  private static void check(List<String> problems, boolean holds, String problem) {
    if (!holds) {
      problems.add(problem);
    }
  }

  private static void within(
      List<String> problems, String name, Duration value, Duration low, Duration high) {
    check(
        problems,
        value.compareTo(low) >= 0 && value.compareTo(high) <= 0,
        "%s must be between %s and %s, not %s".formatted(name, low, high, value));
  }

  static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      // Its message is the host's name only by habit; localhost is a name that validates.
      return "localhost";
    }
  }

  /** A builder with the defaults; brokers and files have none. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects a config's values; what isn't set keeps its default. */
  public static final class Builder {
    private String bootstrapServers = "";
    private String identity = hostName();
    private List<String> files = List.of();
    private List<FeedConfig> feeds = List.of();
    private boolean once;
    private String sourcePrefix = "";
    private Duration pollInterval = Duration.ofMillis(100);
    private Duration heartbeatInterval = Duration.ofSeconds(5);
    private Duration pieceTimeout = Duration.ofSeconds(30);
    private Duration rotatedQuiet = Duration.ofSeconds(30);
    private int maxLineBytes = 1024 * 1024;
    private Duration transactionTimeout = Duration.ofSeconds(10);
    private int maxBatchRecords = 200_000;
    private int maxOpenFiles = 2_000;
    private Duration brokerTimeout = Duration.ofSeconds(30);
    private PrivacyConfig privacy = PrivacyConfig.NONE;
    private Map<String, String> kafkaProperties = Map.of();

    private Builder() {}

    /** Kafka brokers to begin with, {@code host:port}, comma-separated. */
    public Builder bootstrapServers(String value) {
      bootstrapServers = value;
      return this;
    }

    /** This shipper's name; the default is the host's. */
    public Builder identity(String value) {
      identity = value;
      return this;
    }

    /** Paths or globs. */
    public Builder files(List<String> value) {
      files = value;
      return this;
    }

    /** Sources that are no files; default none. */
    public Builder feeds(List<FeedConfig> value) {
      feeds = value;
      return this;
    }

    /** Whether to finish at the files' present end; default false. */
    public Builder once(boolean value) {
      once = value;
      return this;
    }

    /** What goes before a path in a source's name; default nothing. */
    public Builder sourcePrefix(String value) {
      sourcePrefix = value;
      return this;
    }

    /** Default 100 ms. */
    public Builder pollInterval(Duration value) {
      pollInterval = value;
      return this;
    }

    /** Default 5 s. */
    public Builder heartbeatInterval(Duration value) {
      heartbeatInterval = value;
      return this;
    }

    /** Default 30 s. */
    public Builder pieceTimeout(Duration value) {
      pieceTimeout = value;
      return this;
    }

    /** Default 30 s. */
    public Builder rotatedQuiet(Duration value) {
      rotatedQuiet = value;
      return this;
    }

    /** Default 1 MiB. */
    public Builder maxLineBytes(int value) {
      maxLineBytes = value;
      return this;
    }

    /** Default 10 s. */
    public Builder transactionTimeout(Duration value) {
      transactionTimeout = value;
      return this;
    }

    /** Default 200,000. */
    public Builder maxBatchRecords(int value) {
      maxBatchRecords = value;
      return this;
    }

    /** Default 2,000. */
    public Builder maxOpenFiles(int value) {
      maxOpenFiles = value;
      return this;
    }

    /** Default 30 s. */
    public Builder brokerTimeout(Duration value) {
      brokerTimeout = value;
      return this;
    }

    /** Default {@link PrivacyConfig#NONE}. */
    public Builder privacy(PrivacyConfig value) {
      privacy = value;
      return this;
    }

    /** Default none. */
    public Builder kafkaProperties(Map<String, String> value) {
      kafkaProperties = value;
      return this;
    }

    /**
     * The config.
     *
     * @throws ShipperConfigException naming every problem
     */
    public ShipperConfig build() {
      return new ShipperConfig(
          bootstrapServers,
          identity,
          files,
          feeds,
          once,
          sourcePrefix,
          pollInterval,
          heartbeatInterval,
          pieceTimeout,
          rotatedQuiet,
          maxLineBytes,
          transactionTimeout,
          maxBatchRecords,
          maxOpenFiles,
          brokerTimeout,
          privacy,
          kafkaProperties);
    }
  }
}
