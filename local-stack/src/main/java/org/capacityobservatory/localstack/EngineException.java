package org.capacityobservatory.localstack;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What ClickHouse answers when it refuses a query: its error code and its message. */
final class EngineException extends Exception {
  private static final long serialVersionUID = 1L;
  private static final Pattern CODE = Pattern.compile("^Code: (\\d+)\\. ");
  private static final Pattern TWICE =
      Pattern.compile("^(Code: \\d+\\. DB::Exception: )+(?=Code: )");

  // Codes of ClickHouse's ErrorCodes.cpp.
  static final int UNKNOWN_EXCEPTION = 1002;
  static final int BAD_ARGUMENTS = 36;
  static final int NOT_IMPLEMENTED = 48;
  static final int SYNTAX_ERROR = 62;
  static final int UNKNOWN_SETTING = 115;
  static final int READONLY = 164;
  static final int UNKNOWN_USER = 192;
  static final int REQUIRED_PASSWORD = 194;
  static final int TOO_MANY_SIMULTANEOUS_QUERIES = 202;
  static final int CANNOT_DECOMPRESS = 271;
  static final int QUERY_IS_TOO_LARGE = 223;
  static final int QUERY_WAS_CANCELLED = 394;
  static final int ACCESS_DENIED = 497;
  static final int AUTHENTICATION_FAILED = 516;

  private final int code;

  EngineException(int code, String message) {
    super(message);
    this.code = code;
  }

  /** An error of our own, in the form of the engine's. */
  static EngineException of(int code, String name, String sentence) {
    return new EngineException(
        code, "Code: " + code + ". DB::Exception: " + sentence + " (" + name + ")");
  }

  /** Reads the engine's own text; nested errors repeat their beginning, which is said once. */
  static EngineException parse(String text) {
    String once = TWICE.matcher(text).replaceFirst("");
    Matcher matcher = CODE.matcher(once);
    return matcher.find()
        ? new EngineException(Integer.parseInt(matcher.group(1)), once)
        : new EngineException(UNKNOWN_EXCEPTION, "Code: 1002. DB::Exception: " + once);
  }

  int code() {
    return code;
  }

  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }

  /** The HTTP status for the code, as ClickHouse's HTTP interface maps it. */
  int httpStatus() {
    return switch (code) {
      case REQUIRED_PASSWORD -> 401;
      case UNKNOWN_USER, AUTHENTICATION_FAILED, ACCESS_DENIED, READONLY, 193 -> 403;
      case BAD_ARGUMENTS,
          SYNTAX_ERROR,
          6,
          26,
          27,
          38,
          41,
          53,
          69,
          72,
          73,
          117,
          130,
          131,
          271,
          321,
          341,
          441,
          456,
          457 ->
          400;
      case UNKNOWN_SETTING, 46, 47, 50, 56, 60, 63, 81 -> 404;
      case NOT_IMPLEMENTED -> 501;
      case QUERY_IS_TOO_LARGE -> 413;
      case 159 -> 408;
      case TOO_MANY_SIMULTANEOUS_QUERIES -> 503;
      default -> 500;
    };
  }
}
