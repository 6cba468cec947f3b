package org.apache.spark.sql.shedjoin

import scala.util.Random

/** What a random history is held in, whatever its join: when its events are, how many there are, and the session's confs.
  *
  * @param startMicros
  *   the time from which the history's clock counts
  * @param largeSide
  *   the side that has hundreds of rows a batch, if one has: few keys, so a key has hundreds of rows too
  */
final case class Surroundings(
    startMicros: Long,
    largeSide: Option[Int],
    memoryMb: Option[Int],
    latestWatermark: Boolean,
    wholeStage: Boolean,
    defaultFiles: Boolean,
    withoutDelays: Boolean
) {
  import Surroundings._

  /** The join, without watermarks where these are not wanted and it can be had so. */
  def changed(join: JoinCase): JoinCase = {
    val without = join.copy(leftDelay = None, rightDelay = None)
    if (withoutDelays && without.isLegal) without else join
  }

  /** Whether no row is late for being long ago: watermarks start at 1970. */
  def leavesAll(join: JoinCase): Boolean = startMicros > 0 || (join.leftDelay ++ join.rightDelay).isEmpty

  /** How many rows a batch has of each side, in the mean, where a small history has `rate`. */
  def rates(rate: Int): Seq[Int] =
    largeSide.fold(Seq(rate, rate))(side => Seq(0, 1).map(s => if (s == side) LargeRate else math.min(rate, 4)))

  /** The most that passes between batches: in large histories rows are to go. */
  def stepMs: Int = if (largeSide.isDefined) 40000 else 8000

  def confs(partitions: Int): Map[String, String] = Map(
    "spark.sql.streaming.multipleWatermarkPolicy" -> (if (latestWatermark) "max" else "min"),
    "spark.sql.codegen.wholeStage" -> wholeStage.toString
  ) ++ memoryMb.map(mb => "spark.shedjoin.memory" -> s"${mb * partitions}mb") ++ Option.when(defaultFiles)(SparksFiles)
}

object Surroundings {
  private val LargeRate = 400
  private val Today = 1700000000L * 1000000

  /** What Spark takes for local files where nothing is set. */
  private val SparksFiles = "spark.sql.streaming.checkpointFileManagerClass" ->
    "org.apache.spark.sql.execution.streaming.checkpointing.FileContextBasedCheckpointFileManager"

  /** The clock begins at 100 s: events a few seconds before 1970 and after it, in 1938, in year 1, and about year 10000. */
  private val longAgoOrFar = Seq(-110L, -1000000000L, -62135596800L, 253402300800L - 115).map(_ * 1000000)

  def of(seed: Long): Surroundings = {
    val r = new Random(seed * 0x2545f4914f6cdd1dL + 5)
    r.nextLong()
    val largeSide = Option.when(r.nextInt(40) == 0)(r.nextInt(2))
    Surroundings(
      startMicros = if (r.nextInt(10) < 7) Today else longAgoOrFar(r.nextInt(longAgoOrFar.size)),
      largeSide,
      // Partitions with 16 MiB or more have larger pages.
      memoryMb = Option.when(r.nextInt(3) == 0)(if (largeSide.isDefined) 32 else 2),
      latestWatermark = r.nextInt(4) == 0,
      wholeStage = r.nextInt(12) == 0,
      defaultFiles = r.nextInt(12) == 0,
      withoutDelays = r.nextInt(8) == 0
    )
  }
}
