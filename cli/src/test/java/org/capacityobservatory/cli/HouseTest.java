package org.capacityobservatory.cli;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;

/** The arrows of the house (docs/architecture.md): who may depend on whom. */
@AnalyzeClasses(
    packages = "org.capacityobservatory",
    importOptions = ImportOption.DoNotIncludeTests.class)
class HouseTest {
  @ArchTest
  static final ArchRule applicationsMeetAtTopicsAndTablesOnly =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("log")
          .definedBy("org.capacityobservatory.log..")
          .layer("metrics")
          .definedBy("org.capacityobservatory.metrics..")
          .layer("sql")
          .definedBy("org.capacityobservatory.sql..")
          .layer("shipper")
          .definedBy("org.capacityobservatory.shipper..")
          .layer("streams")
          .definedBy("org.capacityobservatory.streams..")
          .layer("calibration")
          .definedBy("org.capacityobservatory.calibration..")
          .layer("alarms")
          .definedBy("org.capacityobservatory.alarms..")
          .layer("api")
          .definedBy("org.capacityobservatory.api..")
          .layer("localstack")
          .definedBy("org.capacityobservatory.localstack..")
          .layer("cli")
          .definedBy("org.capacityobservatory.cli..")
          .whereLayer("log")
          .mayNotAccessAnyLayer()
          .whereLayer("localstack")
          .mayNotAccessAnyLayer()
          .whereLayer("metrics")
          .mayOnlyAccessLayers("log")
          .whereLayer("sql")
          .mayOnlyAccessLayers("metrics", "log")
          .whereLayer("shipper")
          .mayOnlyAccessLayers("log")
          .whereLayer("streams")
          .mayOnlyAccessLayers("metrics", "log", "sql")
          .whereLayer("calibration")
          .mayOnlyAccessLayers("metrics", "log")
          .whereLayer("alarms")
          .mayOnlyAccessLayers("metrics", "log", "sql")
          .whereLayer("api")
          .mayOnlyAccessLayers("metrics", "log", "sql", "alarms", "calibration")
          .whereLayer("cli")
          .mayNotBeAccessedByAnyLayer();

  @ArchTest
  static final ArchRule noPackagesGoInCircles =
      slices().matching("org.capacityobservatory.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule onlyTheHouseStartsProcesses =
      ArchRuleDefinition.noClasses()
          .that()
          .resideOutsideOfPackages("org.capacityobservatory.localstack..")
          .and()
          .doNotHaveFullyQualifiedName("org.capacityobservatory.shipper.JournalTap")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.lang.ProcessBuilder");

  @ArchTest
  static final ArchRule theApiKnowsNoKafka =
      ArchRuleDefinition.noClasses()
          .that()
          .resideInAnyPackage("org.capacityobservatory.api..", "org.capacityobservatory.sql..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.kafka..");
}
