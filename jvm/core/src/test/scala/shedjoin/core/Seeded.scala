package shedjoin.core

import scala.util.Random

/** Histories made of seeds: seeds 1 to N in `make test`, new ones and more of them in `make soak`, which prints them.
  *
  * A history that fails says how to run it alone.
  */
trait Seeded {
  import Seeded._

  private lazy val drawn: Long = {
    val base = MostFixed + new Random(System.nanoTime()).nextLong(Long.MaxValue >> 8)
    println(s"${getClass.getName}: new seeds, from ${base + 1} on")
    base
  }

  /** Runs `history` on the randomness of each of `count` seeds; in a soak of more. */
  protected def histories(count: Int)(history: Random => Unit): Unit =
    seeds(count).foreach(seed => alone(seed)(history(random(seed))))

  /** `count` seeds, in a soak more: `after` + 1 and those that follow where they are the same each time. */
  protected def seeds(count: Int, after: Long = 0): Seq[Long] = seedsAfter(after).take(times(count)).toVector

  /** Seeds without end, but for one that is to run alone. */
  protected def seedsAfter(after: Long): Iterator[Long] =
    if (only.isDefined) only.iterator else Iterator.iterate(after + 1 + (if (isSoak) drawn else 0))(_ + 1)

  /** How many histories are to run where `make test` runs `count`. */
  protected def times(count: Int): Int = if (isSoak) count * SoakTimes else count

  /** Runs the history of a seed; an error says how to run it again. */
  protected def alone[A](seed: Long)(history: => A): A =
    try history
    catch { case e: Throwable => throw new AssertionError(s"seed $seed: $e\nAlone: ${command(seed)}", e) }

  /** The command that runs the history of a seed alone. */
  protected def command(seed: Long): String = s""".ci/sbt -Dshedjoin.seed=$seed "testOnly ${getClass.getName}""""

  /** Checks what is true of many histories together, and need not be of one alone. */
  protected def overall(check: => Any): Unit = if (only.isEmpty) { check; () }
}

object Seeded {
  private val isSoak: Boolean = java.lang.Boolean.getBoolean("shedjoin.soak")
  private val only: Option[Long] = Option(java.lang.Long.getLong("shedjoin.seed")).map(_.toLong)

  /** How many times as many histories a soak runs. */
  private val SoakTimes = 5

  /** Above what is drawn by hand. */
  private val MostFixed = 1000000L

  /** The randomness of a seed. That of `new Random` begins alike for seeds near each other. */
  def random(seed: Long): Random = {
    val mixed = (seed ^ (seed >>> 32)) * 0x9e3779b97f4a7c15L
    new Random(mixed ^ (mixed >>> 29))
  }
}
