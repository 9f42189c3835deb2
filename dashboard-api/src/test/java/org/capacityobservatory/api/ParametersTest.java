package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.capacityobservatory.api.Problem.ParameterError;
import org.junit.jupiter.api.Test;

class ParametersTest {
  private static Parameters of(Map<String, List<String>> values) {
    return new Parameters(values, List.of("a", "b"));
  }

  private static List<ParameterError> errors(Parameters parameters) {
    return catchThrowableOfType(ProblemException.class, parameters::check).problem().errors();
  }

  @Test
  void whatIsNotThereIsNoError() {
    Parameters parameters = of(Map.of());

    assertThat(parameters.one("a")).isNull();
    assertThat(parameters.many("a")).isEmpty();
    assertThat(parameters.choice("a", List.of("x"))).isNull();
    assertThat(parameters.integer("a", 1, 9)).isNull();
    assertThatCode(parameters::check).doesNotThrowAnyException();
  }

  @Test
  void tellsEveryErrorWithItsRemedy() {
    Parameters parameters = of(Map.of("a", List.of("12"), "b", List.of("y"), "c)--", List.of("1")));
    parameters.integer("a", 1, 9);
    parameters.choice("b", List.of("x", "z"));

    assertThat(errors(parameters))
        .containsExactlyInAnyOrder(
            new ParameterError("c)--", "this resource has no such parameter", "use one of a, b"),
            new ParameterError("a", "it is '12'", "use a whole number from 1 to 9"),
            new ParameterError("b", "it is 'y'", "use one of x, z"));
  }

  @Test
  void takesASingleValueOnce() {
    Parameters parameters = of(Map.of("a", List.of("1", "2")));
    parameters.one("a");

    assertThat(errors(parameters))
        .extracting(ParameterError::remedy)
        .containsExactly("give it once");
  }

  @Test
  void boundsLists() {
    Parameters parameters =
        of(
            Map.of(
                "a", Collections.nCopies(21, "x"), "b", List.of("y".repeat(401), "\0", "\uFFFD")));
    parameters.many("a");
    parameters.many("b");

    assertThat(errors(parameters)).hasSize(4);
  }

  @Test
  void takesTextAsItIs() {
    List<String> values = List.of("", "' OR 1=1 --", "\\", "ünï ☃ 😀", "a,b");

    Parameters parameters = of(Map.of("a", values));

    assertThat(parameters.many("a")).isEqualTo(values);
    assertThatCode(parameters::check).doesNotThrowAnyException();
  }

  @Test
  void numbersAreWholeAndWithinBounds() {
    for (String text : List.of("0", "-1", "1.0", "1e3", " 1", "", "99999999999999999999", "٣")) {
      Parameters parameters = of(Map.of("a", List.of(text)));
      parameters.integer("a", 1, 9);
      assertThat(errors(parameters)).as(text).hasSize(1);
    }
  }

  @Test
  void showsOnlyAPrintablePartOfWhatWasSent() {
    assertThat(Parameters.shown("a\r\nb\u001b[31m")).isEqualTo("a\uFFFD\uFFFDb\uFFFD[31m");
    assertThat(Parameters.shown("x".repeat(100))).isEqualTo("x".repeat(60) + "…");
  }
}
