ThisBuild / organization := "io.shedjoin"
ThisBuild / version := Versions.shedjoin
ThisBuild / scalaVersion := Versions.scala
ThisBuild / semanticdbEnabled := true
ThisBuild / semanticdbVersion := Versions.semanticdb
ThisBuild / scalacOptions ++= Seq(
  "-release",
  Versions.java,
  "-deprecation",
  "-feature",
  "-unchecked",
  "-Werror",
  "-Xlint",
  "-Wunused"
)
// Tests of two JVMs run at a time.
Global / concurrentRestrictions := Seq(Tags.limit(Tags.ForkedTestGroup, 2))
ThisBuild / javacOptions ++= Seq("--release", Versions.java)

val testing = Seq(
  "org.scalatest" %% "scalatest" % Versions.scalatest % Test,
  "org.scalatestplus" %% "scalacheck-1-18" % Versions.scalacheck % Test
)

def module(name: String): Project =
  Project(name, file(s"jvm/$name")).settings(
    libraryDependencies ++= testing,
    Test / fork := true,
    Forked.passingOn,
    // What is named ...Soak is run by `make soak` only.
    Test / test / testOptions += Tests.Filter(!_.endsWith("Soak")),
    Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oDF")
  )

lazy val core = module("core")

lazy val state = module("state")
  .dependsOn(core % "compile->compile;test->test")
  .settings(
    // For the measuring of object graphs.
    Test / javaOptions ++= Seq("-Xmx2g", "-Djdk.attach.allowAttachSelf=true", "-Djol.magicFieldOffset=true"),
    libraryDependencies ++= Seq(
      "com.github.luben" % "zstd-jni" % Versions.zstd % Provided,
      "org.openjdk.jol" % "jol-core" % Versions.jol % Test
    )
  )

/** Runs the policies on traces, without Spark. */
lazy val sim = module("sim")
  .dependsOn(core % "compile->compile;test->test")
  .settings(
    publish / skip := true,
    Test / javaOptions += "--add-opens=java.base/java.nio=ALL-UNNAMED",
    libraryDependencies ++= Seq("arrow-vector", "arrow-memory-netty").map {
      "org.apache.arrow" % _ % Versions.arrow % Provided
    }
  )

lazy val spark = module("spark")
  // The jar carries the simulator, which the Python package starts without Spark.
  .dependsOn(core % "compile->compile;test->test", state, sim % Runtime)
  .settings(
    Compile / unmanagedSourceDirectories += baseDirectory.value / "src/main" / Versions.sparkSources,
    libraryDependencies += "org.apache.spark" %% "spark-sql" % Versions.spark % Provided,
    BuildInfo.settings,
    Forked.settings,
    Forked.apart(".recovery."),
    Packaging.settings
  )

/** Spark's own test suites, run on our operator. */
lazy val suites = module("suites")
  .dependsOn(spark % "test->compile;test->test")
  .settings(
    publish / skip := true,
    Forked.settings,
    SparkTests.settings,
    libraryDependencies ++= Seq(
      "org.apache.spark" %% "spark-sql" % Versions.spark % Test,
      "org.scalatestplus" %% "mockito-5-12" % Versions.mockito % Test
    )
  )

/** Measures: `make bench`. */
lazy val bench = module("bench")
  .enablePlugins(JmhPlugin)
  .dependsOn(spark)
  .settings(
    publish / skip := true,
    libraryDependencies += "org.apache.spark" %% "spark-sql" % Versions.spark,
    Forked.settings,
    Benchmarks.settings
  )

lazy val root = project.in(file(".")).aggregate(core, state, sim, spark, suites, bench).settings(publish / skip := true)
