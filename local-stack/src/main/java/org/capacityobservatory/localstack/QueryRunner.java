package org.capacityobservatory.localstack;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.capacityobservatory.localstack.Engine.Classification;
import org.capacityobservatory.localstack.Engine.Progress;
import org.capacityobservatory.localstack.Engine.Result;
import org.capacityobservatory.localstack.Engine.ResultStream;
import org.capacityobservatory.localstack.Engine.Session;
import org.jspecify.annotations.Nullable;

/** Runs one query in a session of its own and writes its answer. */
final class QueryRunner {
  /** Longer query texts are refused; the data of an INSERT don't count. */
  static final int SQL_BYTES = 4 << 20;

  /** How far VALUES are looked through for functions that reach outside. */
  static final int VALUES_BYTES = 16 << 20;

  /** An INSERT's data begin in here, so that the rest of its body needn't be held in memory. */
  private static final int HEAD_BYTES = 256 << 10;

  private static final int WAIT_FOR_END_BYTES = 64 << 20;

  /** Statements that the engine's parser counts as "control" and that reach for no file. */
  private static final Set<String> CONTROL_STATEMENTS =
      Set.of(
          "set",
          "use",
          "system",
          "kill",
          "attach",
          "detach",
          "create",
          "drop",
          "begin",
          "commit",
          "rollback",
          "backup",
          "restore");

  /** What a reader may set: nothing here reads, writes or costs what the default doesn't. */
  private static final Pattern READER_SETTINGS =
      Pattern.compile(
          "max_execution_time|max_result_rows|max_result_bytes|result_overflow_mode"
              + "|max_rows_to_read|max_threads|max_block_size|session_timezone|log_comment"
              + "|date_time_output_format|join_use_nulls|final|extremes|enable_http_compression"
              + "|http_zlib_compression_level"
              + "|output_format_(json|binary|csv|tsv|pretty|native|decimal)_[a-z0-9_]+");

  private final Engine engine;
  private final String timeZone;
  private final long timeLimitSeconds;

  QueryRunner(Engine engine, String timeZone, long timeLimitSeconds) {
    this.engine = engine;
    this.timeZone = timeZone;
    this.timeLimitSeconds = timeLimitSeconds;
  }

  /** Runs the query; throws what the client is to be told. */
  void run(HttpQuery query, InputStream body, RunningQuery running, HttpAnswer answer)
      throws EngineException, IOException {
    long startNanos = System.nanoTime();
    byte[] head = read(before(query), HEAD_BYTES, body);
    SqlText sql = SqlText.read(head, head.length);
    boolean values = sql.dataFormat().orElse("").equals("Values");
    if (head.length >= HEAD_BYTES && (values || !sql.insertsData())) {
      head = read(head, values ? VALUES_BYTES : SQL_BYTES + 1, body);
      sql = SqlText.read(head, head.length);
    }
    refuseFileAccess(sql);
    try (Session session = openSession(query, running)) {
      answer.header("X-ClickHouse-Query-Id", query.queryId());
      answer.header("X-ClickHouse-Timezone", sessionTimeZone(query));
      if (running.isCancelled()) {
        throw cancelled();
      }
      if (sql.insertsData()) {
        if (values && head.length >= VALUES_BYTES) {
          // What was not looked through must hold literals only.
          session.execute(
              "SET input_format_values_interpret_expressions = 0,"
                  + " input_format_values_deduce_templates_of_expressions = 0");
        }
        insert(query, sql, head, body, session, running, answer, startNanos);
      } else {
        String text = wholeText(head, body);
        check(query, text, session);
        select(query, sql, text, session, answer, startNanos);
      }
    }
  }

  private static byte[] before(HttpQuery query) {
    return query.text().isEmpty()
        ? new byte[0]
        : (query.text() + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The bytes given, and as many more from the body as make up the length, if it has them. */
  private static byte[] read(byte[] before, int length, InputStream body) throws IOException {
    byte[] read = body.readNBytes(Math.max(0, length - before.length));
    byte[] both = Arrays.copyOf(before, before.length + read.length);
    System.arraycopy(read, 0, both, before.length, read.length);
    return both;
  }

  private static String wholeText(byte[] head, InputStream body)
      throws EngineException, IOException {
    if (head.length > SQL_BYTES || body.read() >= 0) {
      throw EngineException.of(
          EngineException.QUERY_IS_TOO_LARGE,
          "QUERY_IS_TOO_LARGE",
          "The query is longer than " + SQL_BYTES + " bytes.");
    }
    String text = new String(head, StandardCharsets.UTF_8);
    if (text.isBlank()) {
      throw EngineException.of(
          EngineException.SYNTAX_ERROR, "SYNTAX_ERROR", "Syntax error: Empty query.");
    }
    return text;
  }

  private static void refuseFileAccess(SqlText sql) throws EngineException {
    if (sql.fileAccess().isPresent()) {
      throw EngineException.of(
          EngineException.ACCESS_DENIED,
          "ACCESS_DENIED",
          sql.fileAccess().get()
              + " is refused here, for every user: it would reach outside the database.");
    }
  }

  private Session openSession(HttpQuery query, RunningQuery running) throws EngineException {
    String comment = query.settings().getOrDefault("log_comment", "").replace("\0", "");
    List<String> given = new ArrayList<>();
    given.add("--log_comment=" + running.mark() + " " + comment);
    given.add("--session_timezone=" + timeZone);
    given.add("--max_execution_time=" + timeLimitSeconds);
    Session session = engine.open(given);
    try {
      applySettings(query, session);
      if (query.database() != null && !query.database().isEmpty()) {
        session.execute("USE " + quote(query.database(), '`'));
      }
      if (query.isReader()) {
        session.execute("SET readonly = 1");
      } else if (query.get()) {
        // As in ClickHouse: a GET may change settings and nothing else.
        session.execute("SET readonly = 2");
      }
      return session;
    } catch (EngineException e) {
      session.close();
      throw e;
    }
  }

  private void applySettings(HttpQuery query, Session session) throws EngineException {
    StringBuilder set = new StringBuilder();
    for (Map.Entry<String, String> setting : query.settings().entrySet()) {
      String name = setting.getKey();
      if (name.equals("log_comment")) {
        continue;
      }
      if (query.isReader()) {
        if (name.equals("readonly") && setting.getValue().equals("1")) {
          continue;
        }
        requireAllowedForReader(name, setting.getValue());
      }
      set.append(set.length() == 0 ? "SET " : ", ")
          .append(name)
          .append(" = ")
          .append(quote(setting.getValue(), '\''));
    }
    if (set.length() > 0) {
      session.execute(set.toString());
    }
  }

  private void requireAllowedForReader(String name, String value) throws EngineException {
    if (!READER_SETTINGS.matcher(name).matches()) {
      throw EngineException.of(
          EngineException.READONLY,
          "READONLY",
          "Cannot modify '" + name + "' setting in readonly mode.");
    }
    if (name.equals("max_execution_time") && !isShorter(value)) {
      throw EngineException.of(
          EngineException.READONLY,
          "READONLY",
          "The user reader can only shorten max_execution_time, from " + timeLimitSeconds + " s.");
    }
  }

  private boolean isShorter(String seconds) {
    try {
      double value = Double.parseDouble(seconds);
      return value > 0 && value <= timeLimitSeconds;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private String sessionTimeZone(HttpQuery query) {
    return query.settings().getOrDefault("session_timezone", timeZone);
  }

  /** What the engine's own parser is asked before it runs anything. */
  private void check(HttpQuery query, String text, Session session) throws EngineException {
    Classification what = session.classify(text);
    if (what.statements() == 0) {
      throwSyntaxError(text, session);
    }
    if (what.statements() > 1) {
      throw EngineException.of(
          EngineException.SYNTAX_ERROR,
          "SYNTAX_ERROR",
          "Syntax error: Multi-statements are not allowed.");
    }
    if (query.isReader() && !what.readOnly()) {
      throw EngineException.of(
          EngineException.READONLY,
          "READONLY",
          query.user() + ": Cannot execute query in readonly mode.");
    }
    if (what.control() && !CONTROL_STATEMENTS.contains(firstWord(text))) {
      throw EngineException.of(
          EngineException.ACCESS_DENIED,
          "ACCESS_DENIED",
          "The query writes outside the database, which is refused here for every user.");
    }
  }

  /**
   * A text that doesn't parse whole could still begin with a statement that runs, so it isn't run
   * for its error: the parser alone gives that.
   */
  private static void throwSyntaxError(String text, Session session) throws EngineException {
    session.query("SELECT formatQuery({q:String})", "Null", Map.of("q", escapeTsv(text))).close();
    throw EngineException.of(
        EngineException.SYNTAX_ERROR,
        "SYNTAX_ERROR",
        "Syntax error: the query is not one statement that this engine knows.");
  }

  private static String firstWord(String text) {
    String bare = text.replaceAll("(?s)^(\\s|--[^\\n]*\\n|#[! ][^\\n]*\\n|/\\*.*?\\*/)+", "");
    int end = 0;
    while (end < bare.length() && Character.isLetter(bare.charAt(end))) {
      end++;
    }
    return bare.substring(0, end).toLowerCase(Locale.ROOT);
  }

  private void insert(
      HttpQuery query,
      SqlText sql,
      byte[] head,
      InputStream body,
      Session session,
      RunningQuery running,
      HttpAnswer answer,
      long startNanos)
      throws EngineException, IOException {
    if (query.isReader() || query.get()) {
      throw EngineException.of(
          EngineException.READONLY,
          "READONLY",
          query.user()
              + ": Cannot execute query in readonly mode."
              + (query.get() && !query.isReader()
                  ? " For queries over HTTP, method GET implies readonly: use POST."
                  : ""));
    }
    InputStream data =
        new SequenceInputStream(
            new ByteArrayInputStream(head, sql.dataStart(), head.length - sql.dataStart()), body);
    Progress progress =
        session.insert(
            sql.insertStatement(),
            sql.dataFormat().orElseThrow(),
            query.parameters(),
            data,
            running::isCancelled);
    describe(answer, query.defaultFormat(), progress, startNanos);
    answer.finish();
  }

  private void select(
      HttpQuery query,
      SqlText sql,
      String text,
      Session session,
      HttpAnswer answer,
      long startNanos)
      throws EngineException, IOException {
    String format = sql.outputFormat().orElse(query.defaultFormat());
    if (query.waitForEnd()) {
      answer.holdBytes(WAIT_FOR_END_BYTES);
    }
    if (query.acceptsGzip() && !isOff(query.settings().get("enable_http_compression"))) {
      answer.gzip();
    }
    PieceJoiner joiner = isStreamable(text) ? PieceJoiner.of(format).orElse(null) : null;
    if (joiner != null) {
      try (ResultStream stream = session.stream(text, format, query.parameters())) {
        Progress progress = Progress.NONE;
        for (Result piece = stream.next(); piece != null; piece = stream.next()) {
          try (Result open = piece) {
            progress = progress.plus(open.progress());
            describe(answer, format, progress, startNanos);
            ByteBuffer bytes = open.bytes();
            joiner.skipWhatIsSaid(bytes);
            answer.write(bytes);
          }
        }
        describe(answer, format, progress, startNanos);
        answer.finish();
      }
    } else {
      try (Result result = session.query(text, format, query.parameters())) {
        describe(answer, format, result.progress(), startNanos);
        answer.write(result.bytes());
        answer.finish();
      }
    }
  }

  /** The engine streams what reads tables, and refuses to stream what describes or changes them. */
  private static boolean isStreamable(String text) {
    String first = firstWord(text);
    return first.equals("select") || first.equals("with") || first.isEmpty();
  }

  private static boolean isOff(@Nullable String setting) {
    return setting != null && (setting.equals("0") || setting.equalsIgnoreCase("false"));
  }

  private static void describe(
      HttpAnswer answer, String format, Progress progress, long startNanos) {
    answer.header("X-ClickHouse-Format", format);
    answer.header("Content-Type", HttpAnswer.contentType(format));
    answer.header(
        "X-ClickHouse-Summary",
        String.format(
            Locale.ROOT,
            "{\"read_rows\":\"%d\",\"read_bytes\":\"%d\",\"written_rows\":\"%d\","
                + "\"written_bytes\":\"%d\",\"total_rows_to_read\":\"0\",\"result_rows\":\"%d\","
                + "\"result_bytes\":\"%d\",\"elapsed_ns\":\"%d\"}",
            progress.readRows(),
            progress.readBytes(),
            progress.writtenRows(),
            progress.writtenBytes(),
            progress.resultRows(),
            progress.resultBytes(),
            System.nanoTime() - startNanos));
  }

  private static EngineException cancelled() {
    return EngineException.of(
        EngineException.QUERY_WAS_CANCELLED, "QUERY_WAS_CANCELLED", "Query was cancelled.");
  }

  private static String quote(String text, char quote) {
    return quote + text.replace("\\", "\\\\").replace(String.valueOf(quote), "\\" + quote) + quote;
  }

  private static String escapeTsv(String text) {
    return text.replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }
}
