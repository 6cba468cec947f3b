package org.apache.spark.sql.shedjoin.recovery

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters.ListHasAsScala

import org.scalatest.concurrent.Eventually.{eventually, timeout}
import org.scalatest.time.SpanSugar._

import org.apache.spark.sql.shedjoin.UnpermittedFileSystem

/** One query in a folder of its own, whose driver is started, and ended, as often as it takes. */
final class Drill(seed: Long, conf: Map[String, String]) {
  val folder: Path = Files.createTempDirectory("shedjoin-drill")
  InputFiles.write(folder, Drill.FilesASide, seed)
  private val arguments = folder.toString +: (RecoveryQuery.Conf ++ conf).map { case (key, value) =>
    s"$key=$value"
  }.toSeq

  def start(java: Seq[String] = Nil): DriverProcess = {
    if (batches == 0 && offsets.nonEmpty) Drill.delete(checkpoint)
    DriverProcess.start("org.apache.spark.sql.shedjoin.recovery.RecoveryApp", folder, java, arguments)
  }

  /** Runs the driver until it ends of itself. */
  def finish(java: Seq[String] = Nil): Unit = {
    val driver = start(java)
    assert(driver.exit() == 0, s"the driver in $folder failed; ${driver.story}")
  }

  /** Lets the query run to its end with one more file a side, which is later than all others.
    *
    * Spark plans the batch without data, in which the last rows expire, only after a batch of the same run: killed between
    * the two, it has nothing to do when it is started again, and those rows wait for more input.
    */
  def close(): Unit = {
    InputFiles.writeLast(folder, Drill.FilesASide)
    finish()
  }

  /** How many batches of the query have begun. */
  def batches: Int = offsets.flatMap(_.toIntOption).maxOption.fold(0)(_ + 1)

  /** The offset log. A driver killed while it writes the first of it leaves a temporary file, and Spark then takes the
    * checkpoint for another query's and asks for a new one.
    */
  private def offsets: Seq[String] = Option(checkpoint.resolve("offsets").toFile.list()).toSeq.flatten

  private def checkpoint: Path = folder.resolve("checkpoint")

  /** The rows of the sink, sorted, after the query came to its end. */
  def rows: Seq[String] = Files.readAllLines(RecoveryQuery.result(folder)).asScala.toSeq

  def delete(): Unit = Drill.delete(folder)
}

object Drill {

  /** Enough batches for a dozen kills. */
  private val FilesASide = 30

  /** What a query on the input of `seed` gives that nobody disturbs, by Spark's join and by ours alike. */
  def undisturbed(seed: Long): Seq[String] = synchronized(known.getOrElseUpdate(seed, run(seed)))

  private val known = scala.collection.mutable.Map.empty[Long, Seq[String]]

  /** What spares Spark's join work that changes no row. */
  private val calm = Map(
    UnpermittedFileSystem.Conf,
    "spark.sql.streaming.stateStore.maintenanceInterval" -> "60s"
  )

  private def run(seed: Long): Seq[String] = {
    val (spark, ours) = (new Drill(seed, calm), new Drill(seed, RecoveryQuery.Shed))
    ours.finish(TestClasses.archiving)
    spark.finish()
    assert(ours.rows == spark.rows, "the undisturbed runs of Spark's join and of ours differ")
    val rows = ours.rows
    assert(rows.count(_.endsWith("null")) > 50 && rows.size > 500, s"a poor drill: ${rows.size} rows")
    Seq(spark, ours).foreach(_.delete())
    rows
  }

  /** Deletes a folder, in which a task that was given up may make and delete a file yet. */
  def delete(folder: Path): Unit = eventually(timeout(60.seconds)) {
    val walk = Files.walk(folder)
    try walk.sorted(java.util.Comparator.reverseOrder[Path]).forEach(Files.deleteIfExists(_))
    finally walk.close()
  }
}
