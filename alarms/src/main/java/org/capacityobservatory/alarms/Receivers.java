package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

/**
 * The file that says who is told: a list of {@code receivers}. Secrets stand in files of their own,
 * which it names.
 */
public final class Receivers {
  private static final Duration HTTP_LIMIT = Duration.ofSeconds(20);
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,39}");
  private static final Set<String> TYPES =
      Set.of("alertmanager", "webhook", "slack", "email", "log");
  private static final Set<String> KEYS =
      Set.of(
          "name",
          "type",
          "url",
          "url_file",
          "secret_file",
          "allow_private",
          "host",
          "port",
          "tls",
          "user",
          "password_file",
          "from",
          "to");

  private final Path file;
  private final YamlFile yaml;
  private final AlertJson json;
  private final AlertText text;
  private final InstantSource clock;
  private final AddressGuard.Lookup lookup;
  private final List<Receiver> receivers = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  private Receivers(
      Path file, List<AlarmRule> rules, InstantSource clock, AddressGuard.Lookup lookup) {
    this.file = file;
    this.yaml = new YamlFile(file.toString());
    this.json = new AlertJson(rules);
    this.text = new AlertText(json);
    this.clock = clock;
    this.lookup = lookup;
  }

  /** The only receiver where nobody is named: the evaluator's own log. */
  public static List<Receiver> logOnly(List<AlarmRule> rules) {
    return List.of(new LogReceiver("log", new AlertText(new AlertJson(rules))));
  }

  /**
   * Reads the file; what it made is closed again when there are problems.
   *
   * @throws AlarmRulesException naming every problem
   * @throws IOException when it can't be read
   */
  public static List<Receiver> read(Path file, List<AlarmRule> rules, InstantSource clock)
      throws AlarmRulesException, IOException {
    return read(file, rules, clock, InetAddress::getAllByName);
  }

  static List<Receiver> read(
      Path file, List<AlarmRule> rules, InstantSource clock, AddressGuard.Lookup lookup)
      throws AlarmRulesException, IOException {
    Receivers reading = new Receivers(file, rules, clock, lookup);
    Node root;
    try (Reader reader = Files.newBufferedReader(file, UTF_8)) {
      root = reading.yaml.compose(reader, "receivers:");
    }
    if (root != null) {
      Map<String, Node> top =
          reading.yaml.mapping(root, "a file of receivers", Set.of("receivers"));
      reading.yaml.sequence(top.get("receivers"), "receivers").forEach(reading::readOne);
      if (reading.names.isEmpty() && reading.yaml.problemCount() == 0) {
        reading.yaml.problem(root, "it names no receivers: one of type log, at least");
      }
    }
    if (reading.yaml.problemCount() > 0) {
      reading.receivers.forEach(Receiver::close);
    }
    reading.yaml.throwProblems();
    return List.copyOf(reading.receivers);
  }

  private void readOne(Node node) {
    int before = yaml.problemCount();
    Map<String, Node> fields = yaml.mapping(node, "a receiver", KEYS);
    String name = yaml.required(node, fields, "name", this::name);
    String type = yaml.required(node, fields, "type", Receivers::type);
    if (name == null || type == null) {
      return;
    }
    Receiver receiver =
        switch (type) {
          case "log" -> new LogReceiver(name, text);
          case "email" -> email(node, name, fields);
          default -> overHttp(node, name, type, fields);
        };
    if (receiver != null) {
      if (yaml.problemCount() == before) {
        receivers.add(receiver);
      } else {
        receiver.close();
      }
    }
  }

  private String name(String word) {
    if (!NAME.matcher(word).matches()) {
      throw new IllegalArgumentException("'" + word + "' must be like ops-mail: a-z, 0-9, - and _");
    }
    if (!names.add(word)) {
      throw new IllegalArgumentException("'" + word + "' stands twice");
    }
    return word;
  }

  private static String type(String word) {
    if (!TYPES.contains(word)) {
      throw new IllegalArgumentException(
          "'" + word + "' isn't one of " + new java.util.TreeSet<>(TYPES));
    }
    return word;
  }

  private @Nullable Receiver overHttp(
      Node node, String name, String type, Map<String, Node> fields) {
    URI url = url(node, fields, type);
    String secret = secret(fields, "secret_file");
    boolean allowPrivate = yaml.optional(fields, "allow_private", Receivers::bool, false);
    if (url == null) {
      return null;
    }
    HttpSender sender =
        new HttpSender(url, new AddressGuard(allowPrivate, lookup), HTTP_LIMIT, clock);
    return switch (type) {
      case "alertmanager" -> new AlertmanagerReceiver(name, sender, json, clock);
      case "slack" -> new SlackReceiver(name, sender, text);
      default -> new WebhookReceiver(name, sender, json, secret, clock);
    };
  }

  private @Nullable URI url(Node node, Map<String, Node> fields, String type) {
    if (fields.containsKey("url") == fields.containsKey("url_file")) {
      yaml.problem(node, "give either 'url' or 'url_file', a file that holds it");
      return null;
    }
    return fields.containsKey("url")
        ? yaml.required(node, fields, "url", text -> checked(text, type))
        : yaml.required(node, fields, "url_file", text -> checked(contents(text), type));
  }

  private static URI checked(String text, String type) {
    URI url = URI.create(text.strip());
    String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    if ((!scheme.equals("http") && !scheme.equals("https")) || url.getHost() == null) {
      throw new IllegalArgumentException("it must be like https://HOST/PATH");
    }
    if (url.getUserInfo() != null) {
      throw new IllegalArgumentException("it must not hold a login; use a secret_file");
    }
    return type.equals("alertmanager")
        ? URI.create(text.strip().replaceAll("/+$", "") + "/api/v2/alerts")
        : url;
  }

  private @Nullable Receiver email(Node node, String name, Map<String, Node> fields) {
    String host = yaml.required(node, fields, "host", text -> text);
    int port = yaml.optional(fields, "port", Integer::parseInt, 587);
    EmailReceiver.Tls tls =
        yaml.optional(fields, "tls", Receivers::tls, EmailReceiver.Tls.STARTTLS);
    String user = yaml.optional(fields, "user", text -> text, "");
    String password = secret(fields, "password_file");
    boolean allowPrivate = yaml.optional(fields, "allow_private", Receivers::bool, false);
    String from = yaml.required(node, fields, "from", text -> text);
    List<String> to = new ArrayList<>();
    for (Node one : yaml.sequence(fields.get("to"), "to")) {
      String address = yaml.scalar(one, "to", text -> text);
      if (address != null) {
        to.add(address);
      }
    }
    if (to.isEmpty()) {
      yaml.problem(node, "'to' is missing: a list of addresses");
    }
    return host == null || from == null || to.isEmpty()
        ? null
        : new EmailReceiver(
            name,
            new EmailReceiver.Mail(host, port, tls, user, password, from, to),
            text,
            new AddressGuard(allowPrivate, lookup));
  }

  private static EmailReceiver.Tls tls(String word) {
    return switch (word) {
      case "starttls" -> EmailReceiver.Tls.STARTTLS;
      case "implicit" -> EmailReceiver.Tls.IMPLICIT;
      case "none" -> EmailReceiver.Tls.NONE;
      default ->
          throw new IllegalArgumentException("'" + word + "' isn't starttls, implicit or none");
    };
  }

  private static boolean bool(String word) {
    return switch (word) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("'" + word + "' isn't true or false");
    };
  }

  private String secret(Map<String, Node> fields, String key) {
    return yaml.optional(fields, key, this::contents, "");
  }

  private String contents(String name) {
    try {
      return Files.readString(file.toAbsolutePath().resolveSibling(name), UTF_8).strip();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the file " + name + " can't be read: " + e.getClass().getSimpleName(), e);
    }
  }
}
