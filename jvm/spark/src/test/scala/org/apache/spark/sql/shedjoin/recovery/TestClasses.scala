package org.apache.spark.sql.shedjoin.recovery

import java.nio.file.{Files, Path}
import java.util.jar.{JarEntry, JarOutputStream}

import scala.jdk.CollectionConverters.IteratorHasAsScala

/** The class path of the tests for JVMs that they start, in a form that starts fast.
  *
  * Class data sharing halves the start of a driver; it needs jars where sbt has folders, and an archive that the first
  * JVM which ends of itself leaves.
  */
object TestClasses {
  private lazy val folder = {
    val made = Files.createTempDirectory("shedjoin-classes")
    sys.addShutdownHook(Drill.delete(made))
    made
  }
  private lazy val archive = folder.resolve("classes.jsa")

  private lazy val path: String = {
    val parts =
      sys.props("java.class.path").split(java.io.File.pathSeparator).toSeq.map(Path.of(_)).filter(Files.exists(_))
    parts.zipWithIndex
      .map { case (part, n) => if (Files.isDirectory(part)) jar(part, n) else part }
      .mkString(java.io.File.pathSeparator)
  }

  /** The options of Java that give the class path. */
  def options: Seq[String] = synchronized {
    val sharing = if (Files.exists(archive)) Seq(s"-XX:SharedArchiveFile=$archive", "-Xshare:auto") else Nil
    sharing ++ Seq("-Xlog:disable", "-cp", path)
  }

  /** The settings that give the class path to executors. */
  def ofExecutors: Map[String, String] = Map(
    "spark.executor.extraClassPath" -> path,
    "spark.executor.memory" -> "512m",
    "spark.executor.extraJavaOptions" -> s"-XX:SharedArchiveFile=$archive -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
  )

  /** What Spark needs to find in the environment to start executors without a distribution of Spark. */
  val environment: Map[String, String] =
    Map("SPARK_TESTING" -> "1", "SPARK_SCALA_VERSION" -> "2.13", "SPARK_LOCAL_IP" -> "127.0.0.1")

  /** The options for the JVM that leaves the archive behind, if none has yet: Java does not start to write what it reads. */
  def archiving: Seq[String] = if (Files.exists(archive)) Nil else Seq(s"-XX:ArchiveClassesAtExit=$archive")

  private def jar(classes: Path, number: Int): Path = {
    val file = folder.resolve(s"$number.jar")
    val out = new JarOutputStream(Files.newOutputStream(file))
    val walk = Files.walk(classes)
    try
      walk.iterator.asScala.filter(Files.isRegularFile(_)).foreach { found =>
        out.putNextEntry(new JarEntry(classes.relativize(found).toString.replace('\\', '/')))
        Files.copy(found, out)
        out.closeEntry()
      }
    finally {
      walk.close()
      out.close()
    }
    file
  }
}
