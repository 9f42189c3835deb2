package org.capacityobservatory.localstack;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The ClickHouse engine inside this process. One path for the life of the process; every query gets
 * a {@link Session} of its own, so that no setting of one reaches another. Opening one costs less
 * than a millisecond, as long as another stays open: that is what the keeper is for.
 */
final class Engine implements AutoCloseable {
  private static final int NATIVE_INT_BYTES = 4;

  private final List<String> engineArguments;
  private final Session keeper;
  private final AtomicInteger open = new AtomicInteger();

  private Engine(List<String> engineArguments) throws EngineException {
    this.engineArguments = List.copyOf(engineArguments);
    this.keeper = open(List.of());
  }

  /** Starts the engine with the server-level arguments given; one a process, ever. */
  static Engine start(List<String> engineArguments) throws EngineException {
    return new Engine(engineArguments);
  }

  /** Opens a session with query-level settings, each as {@code --name=value}. */
  Session open(List<String> settings) throws EngineException {
    List<String> arguments = new ArrayList<>();
    arguments.add("clickhouse");
    arguments.addAll(engineArguments);
    arguments.addAll(settings);
    try (NativeStrings argv = NativeStrings.nulTerminated(arguments)) {
      Pointer handle = Chdb.chdb_connect(arguments.size(), Objects.requireNonNull(argv.pointers()));
      if (handle == null) {
        throw EngineException.of(
            EngineException.BAD_ARGUMENTS,
            "BAD_ARGUMENTS",
            "The engine refused a session with " + settings + ": see its log.");
      }
      open.incrementAndGet();
      return new Session(handle);
    }
  }

  /**
   * Asks the engine to end the queries whose {@code log_comment} begins with the mark. It answers
   * at once; the queries end at their next check.
   */
  void kill(String mark) throws EngineException {
    synchronized (keeper) {
      keeper
          .query(
              "KILL QUERY WHERE startsWith(Settings['log_comment'], '" + mark + "') ASYNC",
              "Null",
              Map.of())
          .close();
    }
  }

  /** Sessions that are open, without the keeper. */
  int sessions() {
    return open.get() - 1;
  }

  /**
   * Closes the engine. Every session must be closed before: the engine's threads would otherwise
   * outlive it and crash or hang the process at its exit.
   */
  @Override
  public void close() {
    keeper.close();
    Chdb.chdb_shutdown();
  }

  /** What the engine's own parser says of a text. */
  record Classification(int statements, boolean readOnly, boolean control) {}

  /** What a finished query reports. */
  record Progress(
      long resultRows,
      long resultBytes,
      long readRows,
      long readBytes,
      long writtenRows,
      long writtenBytes) {
    static final Progress NONE = new Progress(0, 0, 0, 0, 0, 0);

    Progress plus(Progress other) {
      return new Progress(
          resultRows + other.resultRows,
          resultBytes + other.resultBytes,
          readRows + other.readRows,
          readBytes + other.readBytes,
          writtenRows + other.writtenRows,
          writtenBytes + other.writtenBytes);
    }
  }

  /** One connection to the engine. For one thread at a time. */
  final class Session implements AutoCloseable {
    private static final int APPEND_BYTES = 1 << 20;

    private @Nullable Pointer handle;

    private Session(Pointer handle) {
      this.handle = handle;
    }

    private Pointer connection() {
      if (handle == null) {
        throw new IllegalStateException("the session is closed");
      }
      return handle.getPointer(0);
    }

    /** Runs a statement whose answer doesn't matter. */
    void execute(String sql) throws EngineException {
      query(sql, "Null", Map.of()).close();
    }

    /** Runs a query and holds its whole result in memory. */
    Result query(String sql, String format, Map<String, String> parameters) throws EngineException {
      byte[] query = utf8(sql);
      byte[] output = utf8(format);
      try (NativeStrings names = NativeStrings.sized(parameters.keySet());
          NativeStrings values = NativeStrings.sized(parameters.values())) {
        return checked(
            Chdb.chdb_query_with_params_n(
                connection(),
                query,
                query.length,
                output,
                output.length,
                names.pointers(),
                names.lengths(),
                values.pointers(),
                values.lengths(),
                parameters.size()));
      }
    }

    /** Runs a query whose result is fetched piece by piece. Not for every kind of statement. */
    ResultStream stream(String sql, String format, Map<String, String> parameters)
        throws EngineException {
      byte[] query = utf8(sql);
      byte[] output = utf8(format);
      try (NativeStrings names = NativeStrings.sized(parameters.keySet());
          NativeStrings values = NativeStrings.sized(parameters.values())) {
        return new ResultStream(
            this,
            checked(
                Chdb.chdb_stream_query_with_params_n(
                    connection(),
                    query,
                    query.length,
                    output,
                    output.length,
                    names.pointers(),
                    names.lengths(),
                    values.pointers(),
                    values.lengths(),
                    parameters.size())));
      }
    }

    /**
     * Inserts data in the format given. The data never become SQL text.
     *
     * @param insert the statement without FORMAT, VALUES and data
     * @param cancelled asked between pieces; when it says so, nothing more is inserted
     */
    Progress insert(
        String insert,
        String format,
        Map<String, String> parameters,
        InputStream data,
        BooleanSupplier cancelled)
        throws EngineException, IOException {
      byte[] query = utf8(insert);
      byte[] input = utf8(format);
      Pointer stream;
      try (NativeStrings names = NativeStrings.sized(parameters.keySet());
          NativeStrings values = NativeStrings.sized(parameters.values())) {
        stream =
            Chdb.chdb_stream_insert_with_params_n(
                connection(),
                query,
                query.length,
                input,
                input.length,
                names.pointers(),
                names.lengths(),
                values.pointers(),
                values.lengths(),
                parameters.size());
      }
      try {
        throwInsertError(stream);
        append(stream, data, cancelled);
        try (Result result = checked(Chdb.chdb_stream_done(stream))) {
          return result.progress();
        }
      } finally {
        // Cancels the insert first, unless it is done.
        Chdb.chdb_destroy_insert_stream(stream);
      }
    }

    private void append(Pointer stream, InputStream data, BooleanSupplier cancelled)
        throws EngineException, IOException {
      byte[] piece = new byte[APPEND_BYTES];
      ByteBuffer direct = ByteBuffer.allocateDirect(APPEND_BYTES);
      Pointer address = Native.getDirectBufferPointer(direct);
      for (int n = data.readNBytes(piece, 0, APPEND_BYTES);
          n > 0;
          n = data.readNBytes(piece, 0, APPEND_BYTES)) {
        if (cancelled.getAsBoolean()) {
          Chdb.chdb_stream_cancel_insert(stream);
          throw EngineException.of(
              EngineException.QUERY_WAS_CANCELLED, "QUERY_WAS_CANCELLED", "Query was cancelled.");
        }
        direct.clear();
        direct.put(piece, 0, n);
        if (Chdb.chdb_stream_append(stream, address, n) != 0) {
          // The reason comes with the result, or as the stream's error.
          throwInsertError(stream);
          return;
        }
      }
    }

    private void throwInsertError(Pointer stream) throws EngineException {
      Pointer error = Chdb.chdb_stream_insert_error(stream);
      if (error != null) {
        throw EngineException.parse(error.getString(0, "UTF-8"));
      }
    }

    /** Asks the engine's parser what a text would do; nothing runs. */
    Classification classify(String sql) throws EngineException {
      byte[] query = utf8(sql);
      try (Memory analysis = new Memory(4L * NATIVE_INT_BYTES)) {
        analysis.clear();
        analysis.setInt(0, 4 * NATIVE_INT_BYTES);
        int state =
            Chdb.chdb_classify_query_n(connection(), query, query.length, null, 0, analysis);
        if (state != 0) {
          throw EngineException.of(
              EngineException.UNKNOWN_EXCEPTION,
              "UNKNOWN_EXCEPTION",
              "The query can't be analysed.");
        }
        int queryClass = analysis.getInt(3L * NATIVE_INT_BYTES);
        return new Classification(
            analysis.getInt(NATIVE_INT_BYTES), queryClass == 0, queryClass == 3);
      }
    }

    @Override
    public void close() {
      Pointer closing = handle;
      if (closing != null) {
        handle = null;
        Chdb.chdb_close_conn(closing);
        open.decrementAndGet();
      }
    }
  }

  /** A result in native memory. */
  static final class Result implements AutoCloseable {
    private final Pointer handle;

    private Result(Pointer handle) {
      this.handle = handle;
    }

    /** The bytes of the result; valid until close. */
    ByteBuffer bytes() {
      Pointer buffer = Chdb.chdb_result_buffer(handle);
      long length = Chdb.chdb_result_length(handle);
      return buffer == null || length == 0
          ? ByteBuffer.allocate(0)
          : buffer.getByteBuffer(0, length);
    }

    Progress progress() {
      return new Progress(
          Chdb.chdb_result_rows_read(handle),
          Chdb.chdb_result_bytes_read(handle),
          Chdb.chdb_result_storage_rows_read(handle),
          Chdb.chdb_result_storage_bytes_read(handle),
          Chdb.chdb_result_rows_written(handle),
          Chdb.chdb_result_bytes_written(handle));
    }

    @Override
    public void close() {
      Chdb.chdb_destroy_query_result(handle);
    }
  }

  /** A result that comes in pieces. */
  static final class ResultStream implements AutoCloseable {
    private final Session session;
    private final Result init;
    private boolean ended;

    private ResultStream(Session session, Result init) {
      this.session = session;
      this.init = init;
    }

    /** The next piece, or null after the last one. */
    @Nullable Result next() throws EngineException {
      Result piece;
      try {
        piece = checked(Chdb.chdb_stream_fetch_result(session.connection(), init.handle));
      } catch (EngineException e) {
        ended = true;
        throw e;
      }
      if (Chdb.chdb_result_length(piece.handle) == 0) {
        ended = true;
        piece.close();
        return null;
      }
      return piece;
    }

    @Override
    public void close() {
      if (!ended) {
        Chdb.chdb_stream_cancel_query(session.connection(), init.handle);
      }
      init.close();
    }
  }

  private static Result checked(Pointer handle) throws EngineException {
    Pointer error = Chdb.chdb_result_error(handle);
    if (error != null) {
      EngineException thrown = EngineException.parse(error.getString(0, "UTF-8"));
      Chdb.chdb_destroy_query_result(handle);
      throw thrown;
    }
    return new Result(handle);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
