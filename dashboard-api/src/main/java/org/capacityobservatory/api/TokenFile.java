package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The API's tokens: a file of their hashes, which only its owner can read.
 *
 * <p>A token is 256 random bits, so a plain SHA-256 of it can't be turned back; a slow hash would
 * only be one more way to keep the API busy. Changes replace the file whole, under a lock, and a
 * running API notices them.
 */
public final class TokenFile {
  /** Its usual name in the data directory. */
  public static final String NAME = "tokens.json";

  private static final Pattern NAME_FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
  private static final String PREFIX = "cap_";
  private static final int TOKEN_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;

  /**
   * Names a file; nothing is read yet.
   *
   * @param file where it is or will be
   */
  public TokenFile(Path file) {
    this.file = file;
  }

  /**
   * A token as the file knows it.
   *
   * @param sha256 of the token's UTF-8 text, in hex
   */
  public record Entry(String name, Role role, String sha256, Instant createdAt) {}

  /** Where it is. */
  public Path path() {
    return file;
  }

  /**
   * All tokens in the order of their making; none when there is no file.
   *
   * @throws IOException when the file can't be read, or is none of ours
   */
  public List<Entry> list() throws IOException {
    // Where it can't be told whether there is a file, reading it says why.
    if (Files.notExists(file)) {
      return List.of();
    }
    List<Entry> entries = new ArrayList<>();
    try {
      for (JsonNode one : JSON.readTree(Files.readAllBytes(file)).required("tokens")) {
        entries.add(
            new Entry(
                one.required("name").asText(),
                Role.valueOf(one.required("role").asText().toUpperCase(Locale.ROOT)),
                one.required("sha256").asText(),
                Instant.parse(one.required("created_at").asText())));
      }
    } catch (JsonProcessingException | IllegalArgumentException | DateTimeException e) {
      throw new IOException(
          file + " is no file of tokens: restore it, or remove it to have none", e);
    }
    return List.copyOf(entries);
  }

  /**
   * Makes a token.
   *
   * @return the token, which is not kept anywhere
   * @throws IllegalArgumentException when the name is taken, or isn't 1 to 63 letters, digits and
   *     {@code . _ -}
   * @throws IOException when the file can't be read or written
   */
  public String create(String name, Role role, InstantSource clock) throws IOException {
    if (!NAME_FORM.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'" + name + "' is no name of a token: 1 to 63 letters, digits and . _ -");
    }
    byte[] random = new byte[TOKEN_BYTES];
    RANDOM.nextBytes(random);
    String token = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    change(
        entries -> {
          if (entries.stream().anyMatch(entry -> entry.name().equals(name))) {
            throw new IllegalArgumentException(
                "There is a token '" + name + "': give another name, or revoke it first");
          }
          Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
          entries.add(new Entry(name, role, sha256(token), now));
        });
    return token;
  }

  /**
   * Takes a token back; a running API refuses it from the next request on.
   *
   * @throws IllegalArgumentException when there is none of this name
   * @throws IOException when the file can't be read or written
   */
  public void revoke(String name) throws IOException {
    change(
        entries -> {
          if (!entries.removeIf(entry -> entry.name().equals(name))) {
            throw new IllegalArgumentException(
                "There is no token '" + name + "': capacity token list names them");
          }
        });
  }

  private interface Change {
    void to(List<Entry> entries);
  }

  private void change(Change change) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null) {
      throw new IOException(file + " has no directory");
    }
    Files.createDirectories(directory);
    Path lockFile = directory.resolve(file.getFileName() + ".lock");
    try (FileChannel channel =
        FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.lock(); // until the channel is closed
      List<Entry> entries = new ArrayList<>(list());
      change.to(entries);
      write(directory, entries);
    }
  }

  private void write(Path directory, List<Entry> entries) throws IOException {
    ObjectNode root = JSON.createObjectNode();
    ArrayNode tokens = root.putArray("tokens");
    for (Entry entry : entries) {
      tokens
          .addObject()
          .put("name", entry.name())
          .put("role", entry.role().word())
          .put("sha256", entry.sha256())
          .put("created_at", entry.createdAt().toString());
    }
    // Made by createTempFile: readable by its owner only.
    Path fresh = Files.createTempFile(directory, "tokens-", ".new");
    try {
      Files.write(fresh, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(root));
      if (Files.getFileStore(fresh).supportsFileAttributeView("posix")) {
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  static String sha256(String token) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
