ThisBuild / organization := "io.shedjoin"
ThisBuild / version := Versions.shedjoin
ThisBuild / scalaVersion := Versions.scala
ThisBuild / semanticdbEnabled := true
ThisBuild / scalacOptions ++= Seq(
  "-release", Versions.java, "-deprecation", "-feature", "-unchecked", "-Werror", "-Xlint", "-Wunused")
ThisBuild / javacOptions ++= Seq("--release", Versions.java)

val testing = Seq(
  "org.scalatest" %% "scalatest" % Versions.scalatest % Test,
  "org.scalatestplus" %% "scalacheck-1-18" % Versions.scalacheck % Test)

/** What Spark itself asks of a JVM since Java 17. */
val sparkJvmOptions: Seq[String] =
  Seq(
    "java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util",
    "java.util.concurrent", "java.util.concurrent.atomic", "jdk.internal.ref", "sun.nio.ch", "sun.nio.cs",
    "sun.security.action", "sun.util.calendar").map(p => s"--add-opens=java.base/$p=ALL-UNNAMED") ++
    Seq("-XX:+IgnoreUnrecognizedVMOptions", "-Dio.netty.tryReflectionSetAccessible=true")

def module(name: String): Project =
  Project(name, file(s"jvm/$name")).settings(
    Compile / unmanagedSourceDirectories := Seq(baseDirectory.value / "src/main/scala"),
    libraryDependencies ++= testing,
    Test / fork := true,
    Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oDF"))

lazy val core = module("core")

lazy val state = module("state")
  .dependsOn(core)
  .settings(
    libraryDependencies ++= Seq(
      "com.github.luben" % "zstd-jni" % Versions.zstd % Provided,
      "org.openjdk.jol" % "jol-core" % Versions.jol % Test))

lazy val spark = module("spark")
  .dependsOn(core, state)
  .settings(
    Compile / unmanagedSourceDirectories += baseDirectory.value / "src/main" / Versions.sparkSources,
    libraryDependencies += "org.apache.spark" %% "spark-sql" % Versions.spark % Provided,
    Test / javaOptions ++= sparkJvmOptions)

lazy val root = project.in(file(".")).aggregate(core, state, spark).settings(publish / skip := true)
