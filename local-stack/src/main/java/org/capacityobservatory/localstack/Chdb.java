package org.capacityobservatory.localstack;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The functions of libchdb that we call, by their C names. Lengths are size_t, which is a Java long
 * on every platform the library exists for.
 */
final class Chdb {
  private Chdb() {}

  /** Loads the library and keeps its signal handlers off: the JVM needs its own. */
  static void load(Path file) {
    try {
      NativeLibrary library = NativeLibrary.getInstance(file.toString(), Map.of());
      Native.register(Chdb.class, library);
      chdb_set_signal_handlers_enabled(0);
    } catch (UnsatisfiedLinkError e) {
      throw new LocalStackException(
          "The ClickHouse engine " + file + " can't be loaded: " + e.getMessage(), e);
    }
  }

  static native void chdb_set_signal_handlers_enabled(int enabled);

  static native @Nullable Pointer chdb_connect(int argc, Pointer argv);

  static native void chdb_close_conn(Pointer connection);

  static native int chdb_shutdown();

  static native Pointer chdb_query_with_params_n(
      Pointer connection,
      byte[] query,
      long queryLength,
      byte[] format,
      long formatLength,
      @Nullable Pointer names,
      @Nullable Pointer nameLengths,
      @Nullable Pointer values,
      @Nullable Pointer valueLengths,
      long count);

  static native Pointer chdb_stream_query_with_params_n(
      Pointer connection,
      byte[] query,
      long queryLength,
      byte[] format,
      long formatLength,
      @Nullable Pointer names,
      @Nullable Pointer nameLengths,
      @Nullable Pointer values,
      @Nullable Pointer valueLengths,
      long count);

  static native Pointer chdb_stream_fetch_result(Pointer connection, Pointer stream);

  static native void chdb_stream_cancel_query(Pointer connection, Pointer stream);

  static native Pointer chdb_stream_insert_with_params_n(
      Pointer connection,
      byte[] query,
      long queryLength,
      byte[] format,
      long formatLength,
      @Nullable Pointer names,
      @Nullable Pointer nameLengths,
      @Nullable Pointer values,
      @Nullable Pointer valueLengths,
      long count);

  static native int chdb_stream_append(Pointer insert, Pointer data, long length);

  static native Pointer chdb_stream_done(Pointer insert);

  static native void chdb_stream_cancel_insert(Pointer insert);

  static native @Nullable Pointer chdb_stream_insert_error(Pointer insert);

  static native void chdb_destroy_insert_stream(Pointer insert);

  static native int chdb_classify_query_n(
      Pointer connection,
      byte[] query,
      long queryLength,
      @Nullable Pointer database,
      long databaseLength,
      Pointer analysis);

  static native @Nullable Pointer chdb_result_buffer(Pointer result);

  static native long chdb_result_length(Pointer result);

  static native @Nullable Pointer chdb_result_error(Pointer result);

  static native long chdb_result_rows_read(Pointer result);

  static native long chdb_result_bytes_read(Pointer result);

  static native long chdb_result_storage_rows_read(Pointer result);

  static native long chdb_result_storage_bytes_read(Pointer result);

  static native long chdb_result_rows_written(Pointer result);

  static native long chdb_result_bytes_written(Pointer result);

  static native void chdb_destroy_query_result(Pointer result);
}
