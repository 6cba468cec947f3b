package org.apache.spark.sql.shedjoin.recovery

import java.nio.file.{Files, Path, StandardCopyOption}

import org.apache.spark.sql.SparkSession

/** A checkpoint directory that is committed to the repository, and resumed by every later release.
  *
  * It holds `checkpoint/`, the input of both sides, all of it, and in `expected.txt` the rows that are still to come.
  * The source's log holds absolute paths; in the repository their folder is written as `Placeholder`.
  *
  * To make one anew, when the format changes and has a new number: delete its folder and run
  * `sbt -Dshedjoin.writeGolden=true "spark/testOnly *GoldenCheckpointSuite"`.
  */
final class GoldenCheckpoint(val committed: Path) {
  import GoldenCheckpoint._

  /** A copy that can be resumed. */
  def copy(): Path = {
    val folder = Files.createTempDirectory("shedjoin-golden")
    copyTo(folder, committed, Placeholder, folder.toUri.toString.stripSuffix("/"))
    for (side <- Seq("left", "right"); (file, place) <- StoppedQuery.files(folder.resolve(side)).zipWithIndex)
      InputFiles.age(file, place)
    folder
  }

  def expected: Seq[String] = Files.readString(committed.resolve(Expected)).linesIterator.toSeq

  /** Runs the query by Spark's join and by ours, and leaves the files of ours as they are when it stops in mid-stream. */
  def write(spark: SparkSession, bySpark: => Seq[String]): Unit = {
    val folder = Files.createTempDirectory("shedjoin-golden")
    StoppedQuery.arrive(folder, Seed, 0, StoppedQuery.first)
    val before = StoppedQuery.run(spark, folder, pauseMs = 400)
    StoppedQuery.arrive(folder, Seed, StoppedQuery.first, StoppedQuery.all)
    copyTo(committed, folder, folder.toUri.toString.stripSuffix("/"), Placeholder)
    Files.writeString(committed.resolve(Expected), bySpark.diff(before).mkString("", "\n", "\n"))
    Drill.delete(folder)
  }

  private def copyTo(to: Path, from: Path, path: String, by: String): Unit =
    StoppedQuery.files(from).filterNot(_.toString.endsWith(".crc")).foreach { file =>
      val target = to.resolve(from.relativize(file).toString)
      Files.createDirectories(target.getParent)
      if (file.toString.contains("/sources/")) Files.writeString(target, Files.readString(file).replace(path, by))
      else Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING)
    }
}

object GoldenCheckpoint {
  val Seed = 7L
  private val Placeholder = "FOLDER"
  private val Expected = "expected.txt"

  /** The checkpoint whose format Spark numbers so, its state's files of this format of ours. */
  def ofFormat(version: Int, state: Int): GoldenCheckpoint = {
    val root =
      Iterator.iterate(Path.of("").toAbsolutePath)(_.getParent).find(f => Files.exists(f.resolve("build.sbt"))).get
    new GoldenCheckpoint(root.resolve(s"tests/golden/checkpoint-format-$version-state-$state"))
  }
}
