package org.apache.spark.sql.shedjoin.recovery

import java.nio.file.{Files, Path}

import scala.collection.mutable
import scala.jdk.CollectionConverters.IteratorHasAsScala

import org.apache.spark.sql.streaming.Trigger
import org.apache.spark.sql.{DataFrame, SparkSession}

/** The query of `RecoveryQuery` in this JVM, run to the end of the files that have come so far, and then stopped. */
object StoppedQuery {

  /** How many files a side the input has, and how many of them come before the query stops. */
  val (all, first) = (9, 6)

  /** Lets the files from `from` until `until` of the input of `seed` come into `folder`. */
  def arrive(folder: Path, seed: Long, from: Int, until: Int): Unit = {
    val input = Files.createTempDirectory("shedjoin-input")
    InputFiles.write(input, all, seed)
    for (side <- Seq("left", "right"); file <- from until until) {
      val name = f"$side/$file%04d.json"
      Files.createDirectories(folder.resolve(side))
      InputFiles.age(Files.copy(input.resolve(name), folder.resolve(name)), file)
    }
    Drill.delete(input)
  }

  /** Runs the query of `folder` on what has come, waiting after each batch, and gives the rows it emits, sorted. */
  def run(
      spark: SparkSession,
      folder: Path,
      pauseMs: Long = 0,
      atBatch: DataFrame => Unit = _ => ()
  ): Seq[String] = {
    val rows = mutable.Buffer.empty[String]
    val query = RecoveryQuery
      .joined(spark, folder)
      .writeStream
      .foreachBatch { (batch: DataFrame, _: Long) =>
        rows ++= batch.collect().map(_.mkString(","))
        atBatch(batch)
        Thread.sleep(pauseMs)
      }
      .option("checkpointLocation", folder.resolve("checkpoint").toString)
      .trigger(Trigger.AvailableNow())
      .start()
    try query.awaitTermination()
    finally query.stop()
    rows.toSeq.sorted
  }

  /** The files of the state under `folder`, without the checksums that Hadoop writes beside them. */
  def stateFiles(folder: Path): Seq[Path] = files(folder.resolve("checkpoint/state")).filter { file =>
    val name = file.getFileName.toString
    name.endsWith(".delta") || name.endsWith(".snapshot")
  }

  def files(folder: Path): Seq[Path] = {
    val walk = Files.walk(folder)
    try walk.iterator.asScala.filter(Files.isRegularFile(_)).toSeq.sorted
    finally walk.close()
  }

  /** The version in the name of a state file. */
  def version(file: Path): Long = file.getFileName.toString.takeWhile(_.isDigit).toLong
}
