package org.apache.spark.sql.shedjoin.recovery

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

import org.apache.spark.sql.shedjoin.UnpermittedFileSystem

/** A driver that halts at named points of its work on files: before and after each write, rename, report and commit. */
abstract class CrashPoints extends AnyFunSuite with Seeded {
  protected val seed: Long = seedsAfter(0).next()

  /** With ids of commits the query has no file sink. */
  protected def formatOf(points: Seq[CrashPoint], number: Long): Int =
    if (points.exists(_.what == "sink log")) 1 else RecoveryQuery.someFormat(number)

  /** Halts the driver of one query at each of the points in turn, lets it end, and compares the rows. */
  protected def halts(points: Seq[CrashPoint], format: Int): Unit = {
    val undisturbed = Drill.undisturbed(seed)
    val drill = new Drill(seed, RecoveryQuery.Shed ++ CrashPoints.Conf ++ RecoveryQuery.checkpointFormat(format))
    points.foreach { point =>
      val driver = drill.start(Seq(s"-D${CrashPoint.Key}=$point"))
      assert(
        driver.exit() == CrashPoint.ExitCode,
        s"the driver in ${drill.folder} never came to $point; ${driver.story}"
      )
    }
    drill.close()
    assert(drill.rows == undisturbed, s"after halts at ${points.mkString(", ")} in ${drill.folder}, seed $seed")
    drill.delete()
  }
}

object CrashPoints {
  private val Conf = Map(
    "spark.sql.streaming.checkpointFileManagerClass" -> classOf[HaltingFileManager].getName,
    UnpermittedFileSystem.Conf
  )

  private val writing = Seq("create", "half written", "rename", "renamed")
  private val deleting = Seq("delete", "deleted")

  /** Every point, by kind of file; what is written once is come to once. */
  val Table: Seq[(String, Seq[CrashPoint])] = Seq(
    "the deltas of the state" -> points("delta", writing ++ deleting, nth = 5),
    "the snapshots of the state" -> points("snapshot", writing ++ deleting, nth = 2),
    "the offset log and the end of a task" ->
      (points("offset log", writing, nth = 2) ++ points("task", Seq("reported"), nth = 4)),
    "the commit log" -> points("commit log", writing ++ deleting, nth = 2),
    "the log of the sink" -> points("sink log", writing, nth = 2),
    "the log of the source" -> points("source log", writing, nth = 3),
    "the metadata of the state" -> (points("state metadata", writing, nth = 1) ++ points(
      "state metadata",
      writing,
      nth = 1
    ))
  )

  private def points(what: String, moments: Seq[String], nth: Int) = moments.map(CrashPoint(what, _, nth))
}

/** One query for all the points of a kind of file, in one of the checkpoint formats. */
class CrashPointSuite extends CrashPoints {
  CrashPoints.Table.zipWithIndex.foreach { case ((kind, points), place) =>
    val format = formatOf(points, seed + place)
    test(
      s"a driver that halts at any point of its work on $kind, checkpoint format $format, loses and doubles nothing"
    ) {
      halts(points, format)
    }
  }
}

/** The same at the first and at a late time that a driver comes to each point, of which one is in each format. */
class CrashPointSoak extends CrashPoints {
  for {
    ((kind, points), place) <- CrashPoints.Table.zipWithIndex if points.exists(_.nth > 1)
    nth <- Seq(1, 4)
    format = formatOf(points, seed + place + nth)
  } test(
    s"a driver that halts at any point of its work on $kind, time $nth, format $format, loses and doubles nothing"
  ) {
    halts(points.map(_.copy(nth = nth)), format)
  }
}
