package org.capacityobservatory.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1 INTO OUTFILE '/tmp/x'",
        "select 1 into outfile '/tmp/x'",
        "SELECT 1 INTO\n\tOUTFILE '/tmp/x'",
        "SELECT 1 INTO/**/OUTFILE '/tmp/x'",
        "SELECT 1 INTO /* ' */ OUTFILE '/tmp/x'",
        "SELECT 1 INTO -- '\nOUTFILE '/tmp/x'",
        "SELECT 1 INTO # '\nOUTFILE '/tmp/x'",
        "SELECT 'it''s' INTO OUTFILE '/tmp/x'",
        "SELECT 'it\\'s' INTO OUTFILE '/tmp/x'",
        "SELECT `a``b` INTO OUTFILE '/tmp/x'",
        "SELECT $x$ ' $x$ INTO OUTFILE '/tmp/x'",
        "SELECT \u2018 ' \u2019 INTO OUTFILE '/tmp/x'",
        "INSERT INTO t FROM INFILE '/etc/passwd' FORMAT CSV",
        "insert into t (a) from /* */ infile '/etc/passwd'",
        "SELECT file('/etc/passwd')",
        "SELECT file /* */ ('/etc/passwd')",
        "SELECT `file`('/etc/passwd')",
        "SELECT \"file\"('/etc/passwd')",
        "SELECT `fil\\e`('/etc/passwd')",
        "SELECT * FROM sqlite('/tmp/x', 't')",
        "SELECT * FROM `SQLite`('/tmp/x', 't')",
        "DESCRIBE TABLE url('http://x/')",
        "CREATE TABLE t (a Int8) ENGINE = URL('http://x/', CSV)",
        "SELECT * APPLY file FROM t",
        "SELECT * APPLY(file) FROM t",
        "SELECT * APPLY ( `file` ) FROM t",
        "INSERT INTO t VALUES (1, file('/etc/passwd'))",
        "INSERT INTO FUNCTION file('/tmp/x', 'CSV', 'a Int8') VALUES (1)"
      })
  void seesThroughCommentsQuotesAndCase(String sql) {
    assertThat(SqlText.read(sql).fileAccess()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 'INTO OUTFILE'",
        "SELECT 'it\\'s INTO OUTFILE'",
        "SELECT 'it''s INTO OUTFILE'",
        "SELECT 1 -- INTO OUTFILE '/tmp/x'",
        "SELECT 1 /* INTO OUTFILE */",
        "SELECT $$ FROM INFILE $$",
        "SELECT `into outfile` FROM t",
        "SELECT 'file('",
        "SELECT file, profile(x) FROM t",
        "SELECT file FROM infiles",
        "INSERT INTO t VALUES ('INTO OUTFILE', 'file(')",
        "INSERT INTO t FORMAT CSV\nINTO OUTFILE file(\n",
        "INSERT INTO url (a, b) VALUES (1, 2)",
        "CREATE TABLE d.file (a Int8) ENGINE = Memory",
        "SELECT url, remote FROM s3",
        "SELECT outfile FROM t INTO"
      })
  void takesNoLiteralOrNameForAKeyword(String sql) {
    assertThat(SqlText.read(sql).fileAccess()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("inserts")
  void findsWhereTheDataOfAnInsertBegin(
      String statement, String middle, String format, String data) {
    String text = statement + middle + data;
    SqlText read = SqlText.read(text);
    assertThat(read.insertsData()).isTrue();
    assertThat(read.insertStatement()).isEqualTo(statement);
    assertThat(read.dataFormat()).hasValue(format);
    assertThat(text.substring(read.dataStart())).isEqualTo(data);
  }

  static Stream<Arguments> inserts() {
    return Stream.of(
        arguments("INSERT INTO t ", "FORMAT CSV\n", "CSV", "1,2"),
        arguments("INSERT INTO t ", "FORMAT CSV ", "CSV", "1,2"),
        arguments("insert into t ", "format\n  CSV\r\n", "CSV", "\n1,2"),
        arguments("INSERT INTO t (a, b) ", "VALUES", "Values", " (1, 2), ('x;y', 3)"),
        arguments("insert into t ", "values", "Values", "(1)"),
        arguments("/* INSERT */ INSERT INTO d.format ", "FORMAT TSV\n", "TSV", "1"),
        arguments("INSERT INTO values ", "VALUES", "Values", " (1)"),
        arguments("INSERT INTO t SETTINGS async_insert=0 ", "FORMAT TSV\n", "TSV", "1"),
        arguments("INSERT INTO t (`values`, \"format\") ", "FORMAT TSV\n", "TSV", "x;y"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t SELECT 1",
        "INSERT INTO t WITH 1 AS x SELECT x FORMAT Null",
        "INSERT INTO t SELECT 1; INSERT INTO t VALUES (1)",
        "SELECT 1 FORMAT CSV",
        "SELECT 'INSERT INTO t FORMAT CSV'",
        "EXPLAIN INSERT INTO t VALUES (1)"
      })
  void whatCarriesNoDataIsNoInsertOfData(String sql) {
    assertThat(SqlText.read(sql).insertsData()).isFalse();
  }

  @Test
  void skipsOneLineEndAndKeepsEveryOtherByteOfTheData() {
    byte[] text = "INSERT INTO t FORMAT RowBinary\n\n \0\u0001".getBytes(StandardCharsets.UTF_8);
    assertThat(SqlText.read(text, text.length).dataStart())
        .isEqualTo("INSERT INTO t FORMAT RowBinary\n".length());
  }

  @Test
  void namesTheOutputFormat() {
    assertThat(SqlText.read("SELECT (1) AS format FORMAT JSONEachRow").outputFormat())
        .hasValue("JSONEachRow");
    assertThat(SqlText.read("SELECT 'FORMAT CSV'").outputFormat()).isEmpty();
    assertThat(SqlText.read("SELECT 1 FORMAT /* x */ CSV SETTINGS a=1").outputFormat())
        .hasValue("CSV");
  }

  @Property
  void readsAnyBytesToTheirEnd(@ForAll byte[] text) {
    SqlText read = SqlText.read(text, text.length);
    assertThat(read.dataStart()).isBetween(0, text.length);
  }
}
