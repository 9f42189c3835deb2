package org.capacityobservatory.log.logback;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.capacityobservatory.log.LineParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CapacityAppenderTest {
  private static final String CALL = "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\"}";

  @TempDir Path folder;

  @Test
  void whatIsLoggedBecomesLines() throws Exception {
    Path file = folder.resolve("capacity.log");
    LoggerContext context = configured("<file>" + file + "</file><capacityLines>9</capacityLines>");
    Logger log = context.getLogger("capacity");
    log.info("{}", LineParser.parse(CALL.getBytes(UTF_8)));
    log.info("{\"event\":\"{}\"}", "other");
    context.stop();
    assertThat(Files.readAllLines(file)).containsExactly(CALL, "{\"event\":\"other\"}");
  }

  @Test
  void settingsThatCannotBeUsedAreSaidInLogbacksStatus() throws Exception {
    LoggerContext context = configured("<capacityLines>0</capacityLines>");
    context.getLogger("capacity").info("goes nowhere");
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .anySatisfy(
            status ->
                assertThat(status.getMessage())
                    .contains("LINES", "capacityLines is 0, not within"));
    context.stop();
  }

  private static LoggerContext configured(String settings) throws Exception {
    LoggerContext context = new LoggerContext();
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    String xml =
        "<configuration><appender name='LINES' class='%s'>%s</appender>"
            + "<logger name='capacity' additivity='false'><appender-ref ref='LINES'/></logger>"
            + "</configuration>";
    configurator.doConfigure(
        new ByteArrayInputStream(
            xml.formatted(CapacityAppender.class.getName(), settings).getBytes(UTF_8)));
    return context;
  }
}
