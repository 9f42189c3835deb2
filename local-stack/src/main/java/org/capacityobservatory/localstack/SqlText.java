package org.capacityobservatory.localstack;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What can be told of a query from its tokens alone: where the data of an INSERT begin, the output
 * format it asks for, and whether it reaches for a file. Comments and literals are seen through, so
 * that neither hides a word nor passes for one. All else about a query is the engine's own parser's
 * to tell.
 *
 * <p>Tokens are ClickHouse's (src/Parsers/Lexer.cpp): comments begin with {@code --}, {@code #!},
 * {@code # } or stand between {@code /* *}{@code /}; strings know backslashes and doubled quotes;
 * {@code $tag$} opens a heredoc; typographic quotes work as quotes.
 */
final class SqlText {
  /**
   * Functions, table functions and engines that reach for files, other hosts or programs. The
   * engine's own rights refuse nearly all of them, but some act before they are checked: sqlite
   * creates its file, and the scalar function file is not checked at all.
   */
  private static final Set<String> OUTSIDE =
      Set.of(
          "arrowflight",
          "arrowstream",
          "azureblobstorage",
          "azureblobstoragecluster",
          "backup",
          "catboostevaluate",
          "cosn",
          "deltalake",
          "deltalakeazure",
          "deltalakeazurecluster",
          "deltalakecluster",
          "deltalakelocal",
          "deltalakes3",
          "deltalakes3cluster",
          "executable",
          "executablepool",
          "file",
          "filecluster",
          "filesystem",
          "gcs",
          "hdfs",
          "hdfscluster",
          "hudi",
          "hudicluster",
          "iceberg",
          "icebergazure",
          "icebergazurecluster",
          "icebergcluster",
          "iceberghdfs",
          "iceberghdfscluster",
          "iceberglocal",
          "iceberglocalcluster",
          "icebergs3",
          "icebergs3cluster",
          "jdbc",
          "materializedpostgresql",
          "mongodb",
          "mysql",
          "odbc",
          "oss",
          "paimon",
          "paimonazure",
          "paimonhdfs",
          "paimonlocal",
          "paimons3",
          "postgresql",
          "python",
          "redis",
          "remote",
          "remotesecure",
          "s3",
          "s3cluster",
          "sqlite",
          "url",
          "urlcluster",
          "ytsaurus");

  private final byte[] text;
  private final int length;
  private int at;

  // The tokens last read, in lower case; quoted names keep their case and begin with a backtick.
  private String token = "";
  private String before = "";
  private String twoBefore = "";
  private int tokenEnd;
  private int depth;

  private @Nullable String format;
  private @Nullable String dataFormat;
  private int statementEnd;
  private int dataStart;
  private boolean insert;
  private boolean select;
  private boolean separator;
  private @Nullable String fileAccess;

  private SqlText(byte[] text, int length) {
    this.text = text;
    this.length = length;
  }

  /** Reads the first {@code length} bytes of a text, or up to where an INSERT's data begin. */
  static SqlText read(byte[] text, int length) {
    SqlText sql = new SqlText(text, length);
    sql.scan();
    return sql;
  }

  static SqlText read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return read(bytes, bytes.length);
  }

  /** Whether this is an INSERT that is followed by its data. */
  boolean insertsData() {
    return dataFormat != null;
  }

  /** The INSERT without FORMAT, VALUES and data; only where {@link #insertsData}. */
  String insertStatement() {
    return new String(text, 0, statementEnd, StandardCharsets.UTF_8);
  }

  /** The format of the data that follow an INSERT. */
  Optional<String> dataFormat() {
    return Optional.ofNullable(dataFormat);
  }

  /** Where the data begin, in bytes. */
  int dataStart() {
    return dataStart;
  }

  /** The output format that the query itself names. */
  Optional<String> outputFormat() {
    return Optional.ofNullable(format);
  }

  /** What reaches for a file of the server's machine, in words for an error. */
  Optional<String> fileAccess() {
    return Optional.ofNullable(fileAccess);
  }

  private void scan() {
    boolean first = true;
    while (dataFormat == null && next()) {
      if (first) {
        insert = token.equals("insert");
        first = false;
      }
      noteFileAccess();
      noteStructure();
    }
    // VALUES are expressions of the same language, so what they reach for counts too.
    if ("Values".equals(dataFormat)) {
      int start = dataStart;
      while (next()) {
        noteFileAccess();
      }
      dataStart = start;
    }
  }

  private void noteStructure() {
    switch (token) {
      case "(", "[", "{" -> depth++;
      case ")", "]", "}" -> depth--;
      case ";" -> separator = true;
      case "select", "with" -> select |= depth == 0 && !isName();
      case "values" -> {
        if (insert && depth == 0 && !select && !separator && !isName()) {
          statementEnd = tokenEnd - token.length();
          dataFormat = "Values";
          dataStart = tokenEnd;
        }
      }
      default -> {
        if (depth == 0 && before.equals("format") && isWord(token)) {
          noteFormat();
        }
      }
    }
  }

  private void noteFormat() {
    if (twoBefore.equals(".") || twoBefore.equals("into") || twoBefore.equals("table")) {
      return;
    }
    String name =
        new String(text, tokenEnd - token.length(), token.length(), StandardCharsets.US_ASCII);
    if (insert && !select && !separator) {
      dataFormat = name;
      statementEnd = formatStart;
      dataStart = skipLineEnd(tokenEnd);
    } else {
      format = name;
    }
  }

  private int formatStart;

  /** A word after a dot, or where a table's name stands, is a name and no keyword. */
  private boolean isName() {
    return before.equals(".") || before.equals("into") || before.equals("table");
  }

  private void noteFileAccess() {
    if (token.equals("outfile") && before.equals("into")) {
      fileAccess = "INTO OUTFILE";
    } else if (token.equals("infile") && before.equals("from")) {
      fileAccess = "FROM INFILE";
    } else if (token.equals("(") && isOutside(before) && !isColumnListOf(twoBefore)) {
      fileAccess = plain(before) + "()";
    } else if (isOutside(token)
        && (before.equals("apply") || (before.equals("(") && twoBefore.equals("apply")))) {
      fileAccess = "APPLY " + plain(token);
    }
  }

  private static boolean isOutside(String name) {
    return OUTSIDE.contains(plain(name).toLowerCase(Locale.ROOT));
  }

  private static String plain(String name) {
    return name.startsWith("`") ? name.substring(1) : name;
  }

  /** {@code INSERT INTO url (a, b)} and {@code db.url (a, b)} name a table and its columns. */
  private static boolean isColumnListOf(String word) {
    return word.equals("into") || word.equals(".");
  }

  /** The engine ignores blanks after the format's name and then one end of line; no more. */
  private int skipLineEnd(int from) {
    int i = from;
    while (i < length && (text[i] == ' ' || text[i] == '\t' || text[i] == '\f')) {
      i++;
    }
    if (i < length && text[i] == '\r') {
      i++;
    }
    if (i < length && text[i] == '\n') {
      i++;
    }
    return i;
  }

  private static boolean isWord(String token) {
    return !token.isEmpty() && isWordStart((byte) token.charAt(0));
  }

  /** Moves on to the next token; false at the end. */
  private boolean next() {
    skipBlanksAndComments();
    if (at >= length) {
      return false;
    }
    twoBefore = before;
    before = token;
    int start = at;
    byte b = text[at];
    if (isWordStart(b)) {
      while (at < length && isWordPart(text[at])) {
        at++;
      }
      token = new String(text, start, at - start, StandardCharsets.US_ASCII);
      token = token.toLowerCase(Locale.ROOT);
      if (token.equals("format")) {
        formatStart = start;
      }
    } else if (isDigit(b)) {
      while (at < length && (isWordPart(text[at]) || text[at] == '.')) {
        at++;
      }
      token = "0";
    } else if (b == '\'') {
      skipQuoted('\'');
      token = "''";
    } else if (b == '"' || b == '`') {
      token = "`" + skipQuoted((char) b);
    } else if (startsWith("\u2018") || startsWith("\u2019")) {
      skipPast("\u2019", 3);
      token = "''";
    } else if (startsWith("\u201c") || startsWith("\u201d")) {
      token = "`" + skipPast("\u201d", 3);
    } else if (b == '$') {
      skipHeredoc();
      token = "''";
    } else {
      at++;
      token = String.valueOf((char) (b & 0xff));
    }
    tokenEnd = at;
    return true;
  }

  private void skipBlanksAndComments() {
    while (at < length) {
      byte b = text[at];
      if (b == ' ' || (b >= '\t' && b <= '\r')) {
        at++;
      } else if (startsWith("--") || startsWith("#!") || startsWith("# ")) {
        while (at < length && text[at] != '\n') {
          at++;
        }
      } else if (startsWith("/*")) {
        skipPast("*/", 2);
      } else if (startsWith("\u00a0")) {
        at += 2;
      } else if (startsWith("\ufeff")) {
        at += 3;
      } else {
        return;
      }
    }
  }

  /** Moves past the closing quote and gives what stands between, with escapes undone. */
  private String skipQuoted(char quote) {
    StringBuilder content = new StringBuilder();
    at++;
    while (at < length) {
      char c = (char) (text[at] & 0xff);
      if (c == '\\' && at + 1 < length) {
        content.append((char) (text[at + 1] & 0xff));
        at += 2;
      } else if (c != quote) {
        content.append(c);
        at++;
      } else if (at + 1 < length && text[at + 1] == quote) {
        content.append(quote);
        at += 2;
      } else {
        at++;
        break;
      }
    }
    return content.toString();
  }

  /**
   * Moves past the next {@code end}, looked for after {@code skip} bytes; gives what stood there.
   */
  private String skipPast(String end, int skip) {
    byte[] wanted = end.getBytes(StandardCharsets.UTF_8);
    int start = Math.min(at + skip, length);
    int i = start;
    while (i < length && !matches(i, wanted)) {
      i++;
    }
    String content = new String(text, start, i - start, StandardCharsets.UTF_8);
    at = Math.min(i + wanted.length, length);
    return content;
  }

  private void skipHeredoc() {
    int i = at + 1;
    while (i < length && (isWordPart(text[i]) && text[i] != '$')) {
      i++;
    }
    if (i >= length || text[i] != '$') {
      at++;
      return;
    }
    String tag = new String(text, at, i + 1 - at, StandardCharsets.US_ASCII);
    skipPast(tag, tag.length());
  }

  private boolean startsWith(String prefix) {
    return matches(at, prefix.getBytes(StandardCharsets.UTF_8));
  }

  private boolean matches(int from, byte[] wanted) {
    if (from + wanted.length > length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (text[from + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWordStart(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || b == '_';
  }

  private static boolean isWordPart(byte b) {
    return isWordStart(b) || isDigit(b) || b == '$';
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }
}
